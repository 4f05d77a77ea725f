import { type ConfigNode, kindOf, type Origin, optionsOf, type Schema, type Warning } from '#core/config'
import { InvalidEndpoint, type ListenAddress, parseListenAddress } from '#core/net'
import { type Plan, SECTIONS } from '#core/pipeline'
import { telemetrySchema } from '../telemetry/schema.ts'

/** Somebody who will listen. */
interface Listener {
  readonly path: readonly string[]
  readonly endpoint: string
  readonly address: ListenAddress
}

/**
 * Addresses that two of the components that run would listen on, so that the second cannot start. Which options are
 * such addresses, their declarations say (`listens`).
 */
export function* clashingAddresses(plan: Plan, root: ConfigNode): Iterable<Warning> {
  const seen: Listener[] = []
  for (const listener of listenersOf(plan)) {
    const other = seen.find(one => overlap(one.address, listener.address))
    seen.push(listener)
    if (other === undefined) continue
    const origin = originOf(root, listener)
    const path = listener.path.join('::')
    const same = other.endpoint === listener.endpoint ? '' : ` on ${other.endpoint}`
    const message = `cannot listen on ${listener.endpoint}: ${other.path.join('::')} does${same}`
    yield { level: 'warn', message, path, code: 'clashing-addresses', ...(origin && { origin }) }
  }
}

function* listenersOf({ extensions, components, configuration }: Plan): Iterable<Listener> {
  const telemetry = configuration.telemetry as { readonly metrics?: { readonly level?: unknown } } | undefined
  if (telemetry?.metrics?.level !== 'none') {
    yield* listening(telemetrySchema, telemetry, ['service', 'telemetry'])
  }
  const seen = new Set<string>()
  for (const { kind, configured } of [...extensions, ...components]) {
    const path = [SECTIONS[kind], configured.id.toString()]
    if (seen.has(path.join())) continue
    seen.add(path.join())
    yield* listening(configured.definition.config, configured.config, path)
  }
}

/** @param value as received: sections that are off are `undefined` */
function* listening(schema: Schema<unknown>, value: unknown, path: readonly string[]): Iterable<Listener> {
  if (typeof value !== 'object' || value === null) return
  const below = value as Readonly<Record<string, unknown>>
  const children = Object.entries(below)
  switch (kindOf(schema)) {
    case 'section':
      for (const [name, option] of Object.entries(optionsOf(schema))) {
        if (option.listens === true) yield* listener(below, name, [...path, name])
        else yield* listening(option, below[name], [...path, name])
      }
      return
    case 'list':
    case 'map': {
      const element = (schema.items ?? schema.additionalProperties) as Schema<unknown>
      for (const [key, child] of children) yield* listening(element, child, [...path, key])
    }
  }
}

function* listener(section: Readonly<Record<string, unknown>>, name: string, path: readonly string[]) {
  const { host = '', transport = 'tcp', [name]: value } = section
  const endpoint = typeof value === 'number' ? `${host}:${value}` : String(value)
  try {
    const address = parseListenAddress(endpoint, String(transport))
    if ('path' in address || address.port !== 0) yield { path, endpoint, address }
  } catch (error) {
    // Components say themselves what is wrong with an endpoint.
    if (!(error instanceof InvalidEndpoint)) throw error
  }
}

/** Whether both cannot be listened on at once. `::` stands for every interface, unless it is for IPv6 alone. */
function overlap(a: ListenAddress, b: ListenAddress): boolean {
  if ('path' in a || 'path' in b) return 'path' in a && 'path' in b && a.path === b.path
  if (a.port !== b.port) return false
  const [one, other] = [interfaceOf(a), interfaceOf(b)]
  return one === other || includes(one, other) || includes(other, one)
}

function includes(all: string, one: string): boolean {
  if (all === ANY) return true
  if (all === ANY_V4) return !one.includes(':')
  return all === ANY_V6 && one.includes(':')
}

const ANY = '::'
const ANY_V4 = '0.0.0.0'
const ANY_V6 = '[::]'

function interfaceOf({ host, ipv6Only }: Extract<ListenAddress, { port: number }>): string {
  if (ipv6Only === true) return ANY_V6
  const name = host?.toLowerCase() ?? ANY
  return name === 'localhost' ? '127.0.0.1' : name
}

/** Where the address was written, or the section whose default it is. */
function originOf(root: ConfigNode, { path }: Listener): Origin | undefined {
  return root.originAt(path)
}
