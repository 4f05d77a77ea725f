import type { Labels } from '#core/component'
import { grpcTarget } from '#core/net'

/** The labels that tell the metrics of several destinations apart. */
export function serverLabels(endpoint: string): Labels {
  const { authority, name, fixed } = grpcTarget(endpoint)
  const address = name ?? fixed?.[0]
  if (address === undefined || 'path' in address) return { 'server.address': address?.path ?? authority }
  return { 'server.address': address.host, 'server.port': String(address.port) }
}
