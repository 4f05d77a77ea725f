import { Malformed } from './malformed.ts'
import { normalize } from './normalize.ts'
import { Chunk, Payload } from './payload.ts'
import type { Signal } from './signal.ts'
import { validate } from './validate.ts'

export interface AdmitOptions {
  /** What to do with a string that is not UTF-8: put U+FFFD in place of the bad bytes, or refuse the whole request. Default `repair`. */
  readonly invalidUtf8?: 'repair' | 'refuse'
}

export interface Admitted<S extends Signal = Signal> {
  readonly payload: Payload<S>
  /** Strings that were not UTF-8 and have been repaired. */
  readonly repairedStrings: number
}

/**
 * The door: makes a payload of an OTLP export request as it came from outside. The bytes are checked and counted in one
 * pass and, if nothing is wrong, used as they are: they belong to the payload from now on and must not change.
 * Behind the door every string is UTF-8, singular fields occur at most once in a message, and what {@link validate}
 * promises holds. Profiles are checked as far as their samples only.
 *
 * @throws {Malformed} when the bytes are not such a request.
 */
export function admit<S extends Signal>(signal: S, bytes: Buffer, options?: AdmitOptions): Admitted<S> {
  const own = ownBytes(bytes)
  const found = validate(signal, own)
  if (found.invalidUtf8At >= 0 && options?.invalidUtf8 === 'refuse') {
    throw new Malformed('string is not UTF-8', found.invalidUtf8At)
  }
  if (found.invalidUtf8At < 0 && !found.repeatedSingular) {
    return { payload: trust(signal, own, found.items), repairedStrings: 0 }
  }
  const normal = normalize(signal, own)
  return {
    payload: trust(signal, normal.bytes, validate(signal, normal.bytes).items),
    repairedStrings: normal.repairedStrings,
  }
}

/** A payload of bytes that have passed the door before, such as those from checksummed storage. Nothing is checked. */
export function trust<S extends Signal>(signal: S, bytes: Buffer, items: number): Payload<S> {
  return new Payload(signal, bytes.length === 0 ? [] : [new Chunk([bytes], items)])
}

/** Bytes of a resizable buffer are copied: they could shrink later, and reading them is several times slower. */
function ownBytes(bytes: Buffer): Buffer {
  const store = bytes.buffer
  if (store instanceof ArrayBuffer && !store.resizable) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}
