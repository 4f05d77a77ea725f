import type { Schema } from '#core/config'

/** Every port that a value listens on: of `endpoint` keys, wherever they stand; URLs are asked, not listened on. */
export function portsIn(value: unknown): readonly number[] {
  return sorted([...endpoints(value)])
}

/** The same for what a section has by default, sections that are off unless written included. */
export function defaultPorts(schema: Schema<unknown>): readonly number[] {
  return sorted([...endpoints(defaultsOf(schema))])
}

/** What stands in the defaults of a section and of all below it. */
function defaultsOf(schema: Schema<unknown>): unknown {
  const properties = schema.properties as Readonly<Record<string, Schema<unknown>>> | undefined
  if (properties === undefined) return schema.default
  return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, defaultsOf(each)]))
}

function* endpoints(value: unknown): Iterable<number> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, each] of Object.entries(value)) {
    if (key.endsWith('endpoint') && typeof each === 'string') {
      const port = each.includes('://') ? undefined : /:(\d+)$/.exec(each)?.[1]
      if (port !== undefined && Number(port) > 0) yield Number(port)
    } else {
      yield* endpoints(each)
    }
  }
}

function sorted(ports: readonly number[]): readonly number[] {
  return [...new Set(ports)].sort((a, b) => a - b)
}
