import { lookup } from 'node:dns/promises'

/** How servers can be reached. The datagram and raw transports of the Collector's list make no sense for them. */
export const LISTEN_TRANSPORTS = ['tcp', 'tcp4', 'tcp6', 'unix', 'npipe'] as const
export type ListenTransport = (typeof LISTEN_TRANSPORTS)[number]

/** Where to listen: a port of an interface, or a path. An absent host means every interface. */
export type ListenAddress =
  | { readonly host: string | undefined; readonly port: number; readonly ipv6Only?: true }
  | { readonly path: string }

/** An endpoint that cannot be listened on. */
export class InvalidEndpoint extends Error {
  override name = 'InvalidEndpoint'
}

/**
 * Reads `host:port`, `[v6]:port`, `:port`, `unix:///path`, or for transports `unix` and `npipe` a bare path. Port 0
 * means any free one.
 * @throws {InvalidEndpoint} saying what is wrong with it
 */
export function parseListenAddress(endpoint: string, transport: string = 'tcp'): ListenAddress {
  if (!(LISTEN_TRANSPORTS as readonly string[]).includes(transport)) {
    throw new InvalidEndpoint(`transport "${transport}" cannot be listened on, only ${LISTEN_TRANSPORTS.join(', ')}`)
  }
  if (endpoint.startsWith('unix:')) return pathOf(endpoint.replace(/^unix:(\/\/)?/, ''), endpoint)
  if (transport === 'unix' || transport === 'npipe') return pathOf(endpoint, endpoint)
  const match = HOST_PORT.exec(endpoint)
  if (match === null) {
    const reason = endpoint.includes(':') ? 'too many colons in address' : 'missing port in address'
    throw new InvalidEndpoint(`endpoint "${endpoint}" is not host:port: ${reason}`)
  }
  const [, v6, name, digits] = match
  const port = Number(digits)
  if (!/^\d{1,5}$/.test(digits!) || port > 65_535) throw new InvalidEndpoint(`invalid port "${digits}"`)
  const host = v6 ?? name
  if (host !== undefined && host !== '') return { host, port }
  if (transport === 'tcp4') return { host: '0.0.0.0', port }
  if (transport === 'tcp6') return { host: '::', port, ipv6Only: true }
  return { host: undefined, port }
}

const HOST_PORT = /^(?:\[([^\]]*)\]|([^:[\]]*)):([^:]*)$/

function pathOf(path: string, endpoint: string): ListenAddress {
  if (path === '') throw new InvalidEndpoint(`endpoint "${endpoint}" names no path`)
  return { path }
}

/**
 * The numeric address behind a host name. `tcp` prefers IPv4, as the Collector does: `localhost` is 127.0.0.1, whatever
 * order the resolver answers in.
 */
export async function resolveListenHost(host: string, transport: string = 'tcp'): Promise<string> {
  const family = transport === 'tcp4' ? 4 : transport === 'tcp6' ? 6 : 0
  const found = await lookup(host, { all: true, family })
  return (found.find(each => each.family === 4) ?? found[0]!).address
}

/** `ip:port` as `parseListenAddress` reads it, IPv6 in brackets. */
export function formatAddress(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
