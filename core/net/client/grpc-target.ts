import { isIP } from 'node:net'
import type { Address } from './dial.ts'

/** Where a gRPC endpoint leads. */
export interface GrpcTarget {
  /** What `:authority` says unless configured. */
  readonly authority: string
  /** Name to be verified in the server's certificate. */
  readonly host: string
  /** Whether `https://` asks for TLS whatever `tls::insecure` says. */
  readonly secure: boolean
  /** Known without asking anyone: an IP address or a socket file. */
  readonly fixed?: readonly Address[]
  /** To be resolved. */
  readonly name?: { readonly host: string; readonly port: number }
}

/** What is wrong with a non-empty endpoint, in the Collector's words. */
export function endpointFault(endpoint: string): string | undefined {
  if (endpoint === '' || isUnix(endpoint)) return undefined
  const address = sanitized(endpoint)
  // What is quoted below would be a password.
  if (address.includes('@')) return 'must be host:port, without user and password'
  const split = splitHostPort(address)
  if (typeof split === 'string') return split
  return /^\d+$/.test(split.port) ? undefined : `invalid port "${split.port}"`
}

/**
 * Reads `host:port`, `http(s)://host:port`, `dns://[server]/host:port`, `passthrough:///host:port` and `unix:path`.
 * Source: https://github.com/grpc/grpc/blob/master/doc/naming.md
 * @throws {Error} with the sentence of {@link endpointFault}
 */
export function grpcTarget(endpoint: string): GrpcTarget {
  if (isUnix(endpoint)) {
    const path = endpoint.replace(/^unix:(\/\/)?/, '')
    return { authority: 'localhost', host: 'localhost', secure: false, fixed: [{ path }] }
  }
  const fault = endpointFault(endpoint)
  if (fault !== undefined) throw new Error(fault)
  const { host, port } = splitHostPort(sanitized(endpoint)) as { host: string; port: string }
  const secure = /^https:\/\//i.test(endpoint)
  const name = { host: host === '' ? 'localhost' : host, port: Number(port) }
  const authority = `${name.host.includes(':') ? `[${name.host}]` : name.host}:${port}`
  if (isIP(name.host) > 0) return { authority, host: name.host, secure, fixed: [name] }
  return { authority, host: name.host, secure, name }
}

function isUnix(endpoint: string): boolean {
  return endpoint.startsWith('unix:')
}

/** `host:port` without scheme, name server and trailing path. */
function sanitized(endpoint: string): string {
  const address = endpoint.replace(/^https?:\/\//i, '').replace(/^(dns|passthrough):(\/\/[^/]*\/)?/, '')
  return address.replace(/\/$/, '')
}

/** Host and port, or what is wrong, as Go's `net.SplitHostPort` puts it. */
function splitHostPort(address: string): { host: string; port: string } | string {
  const colon = address.lastIndexOf(':')
  if (colon < 0 || address.endsWith(']')) return `address ${address}: missing port in address`
  const port = address.slice(colon + 1)
  const host = address.slice(0, colon)
  if (host.startsWith('[') && host.endsWith(']')) return { host: host.slice(1, -1), port }
  if (host.includes(':')) return `address ${address}: too many colons in address`
  return { host, port }
}
