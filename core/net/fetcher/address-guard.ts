import ipaddr from 'ipaddr.js'
import type { FetchGuard } from './fetcher.ts'

/** Judges addresses and ports. */
export interface AddressGuard {
  /** `address` is an IP address in any spelling; what is none may not be asked. */
  mayAsk(address: string, port: number): boolean
}

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Public by range, and yet where clouds answer their own machines: Azure's wire server. */
const METADATA = ['168.63.129.16']

/** What is in use of IPv6; outside of it `::127.0.0.1`, for one, passes for unicast. Source: RFC 4291 §2.4, IANA's registry. */
const GLOBAL_V6: Network = [ipaddr.parse('2000::'), 3]

/**
 * Lets through what is public unicast by the IANA special-purpose registries and nothing else: no private, loopback,
 * link-local, shared, benchmarking, documentation, multicast or reserved addresses, and none that carry an IPv4 address in
 * an IPv6 one (mapped, compatible, NAT64, 6to4, Teredo).
 * @throws {Error} when a network is not written in CIDR notation
 */
export function createAddressGuard(guard: FetchGuard): AddressGuard {
  const allowed = guard.allowPrivate.map(parseNetwork)
  const ports = guard.ports ?? [80, 443]
  return {
    mayAsk(text, port) {
      if (!ipaddr.isValid(text)) return false
      const address = ipaddr.parse(text)
      if (isIn(ipaddr.process(text), allowed)) return true
      return isPublic(address) && ports.includes(port)
    },
  }
}

/** What is wrong with a network in CIDR notation, `undefined` when nothing is. */
export function networkFault(text: string): string | undefined {
  return ipaddr.isValidCIDR(text) ? undefined : `must be a network in CIDR notation such as 10.0.0.0/8, is ${text}`
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast' || METADATA.includes(address.toString())) return false
  return address.kind() === 'ipv4' || isIn(address, [GLOBAL_V6])
}

function parseNetwork(text: string): Network {
  const fault = networkFault(text)
  if (fault !== undefined) throw new Error(`A network that may be asked ${fault}`)
  return ipaddr.parseCIDR(text)
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, networks: readonly Network[]): boolean {
  return networks.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))
}
