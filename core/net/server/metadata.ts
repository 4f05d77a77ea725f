import type { Metadata } from '#core/component'

/** No header at all. */
export const NO_METADATA: Metadata = new Map()

/**
 * Request headers as metadata: names in lower case, every value of a repeated one. Pseudo headers and those of the gRPC
 * protocol itself are left out; `host` is the authority.
 * @param raw names and values in turn, as they came in
 */
export function metadataOf(raw: readonly string[]): Metadata {
  const metadata = new Map<string, string[]>()
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const sent = raw[i]!
    const name = sent === ':authority' ? 'host' : sent.toLowerCase()
    if (name.startsWith(':') || name.startsWith('grpc-')) continue
    const values = metadata.get(name)
    if (values === undefined) metadata.set(name, [raw[i + 1]!])
    else values.push(raw[i + 1]!)
  }
  return metadata
}
