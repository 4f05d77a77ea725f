import type { Schema } from '#core/config'

type Json = { readonly [key: string]: unknown }

/**
 * What a component receives when `written` stands under its id in a configuration: defaults filled in, units converted.
 * @throws {Error} naming every fault
 */
export function configure<C>(schema: Schema<C>, written: unknown = {}): C {
  const faults: string[] = []
  const value = receive(schema, written ?? {}, '', faults)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return value as C
}

function receive(schema: Json, written: unknown, path: string, faults: string[]): unknown {
  if (schema.received === 'milliseconds') return milliseconds(written)
  if (schema.properties !== undefined) return section(schema, (written ?? {}) as Json, path, faults)
  if (schema.enum !== undefined && !(schema.enum as unknown[]).includes(written)) {
    faults.push(`${path}: must be one of ${schema.enum}`)
  }
  if (schema.items !== undefined) {
    return (written as unknown[]).map((each, i) => receive(schema.items as Json, each, `${path}::${i}`, faults))
  }
  return written
}

function section(schema: Json, written: Json, path: string, faults: string[]): unknown {
  const properties = schema.properties as { readonly [key: string]: Json }
  const known = Object.keys(properties)
  if (schema.switchable && written.enabled === false) return undefined
  for (const key of Object.keys(written)) {
    if (known.includes(key) || (schema.switchable && key === 'enabled')) continue
    faults.push(`${path}: has invalid keys: ${key}`)
  }
  const entries = Object.entries(properties).map(([key, of]) => {
    const at = path === '' ? key : `${path}::${key}`
    if (key in written) return [key, receive(of, written[key], at, faults)]
    if (of.default !== undefined) return [key, receive(of, of.default, at, faults)]
    if (of.optional !== true) faults.push(`${at}: must be set`)
    return [key, undefined]
  })
  return Object.fromEntries(entries)
}

const UNITS: { readonly [unit: string]: number } = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1e3, m: 6e4, h: 3.6e6 }

function milliseconds(written: unknown): number {
  if (typeof written === 'number') return written / 1e6
  let sum = 0
  for (const [, count, unit] of String(written).matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g))
    sum += Number(count) * UNITS[unit!]!
  return String(written).startsWith('-') ? -sum : sum
}
