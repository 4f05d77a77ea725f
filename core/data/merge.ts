import { type Chunk, Payload } from './payload.ts'
import type { Signal } from './signal.ts'

/**
 * Whether payloads of the signal may be put together. Those of profiles may not: each has a dictionary of its own, which
 * its samples refer to by index.
 */
export function isMergeable(signal: Signal): boolean {
  return signal !== 'profiles'
}

/**
 * All payloads as one, in order. No byte is read or copied: OTLP requests are put together by putting their bytes one
 * after the other. One payload is returned as it is.
 *
 * @throws {RangeError} for no payload, and for several of a signal that is not mergeable.
 */
export function merge<S extends Signal>(payloads: readonly Payload<S>[]): Payload<S> {
  const [first] = payloads
  if (first === undefined) throw new RangeError('Cannot merge payloads: there is none')
  if (payloads.length === 1) return first
  if (!isMergeable(first.signal)) throw new RangeError(`Cannot merge ${payloads.length} payloads of ${first.signal}`)
  const chunks: Chunk[] = []
  for (const payload of payloads) {
    if (payload.signal !== first.signal) throw new RangeError(`Cannot merge ${payload.signal} with ${first.signal}`)
    for (const chunk of payload.chunks) chunks.push(chunk)
  }
  return new Payload(first.signal, chunks)
}
