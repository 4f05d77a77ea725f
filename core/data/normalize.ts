import { isUtf8 } from 'node:buffer'
import { BackWriter } from './back-writer.ts'
import type { Field, MessageType } from './message-type.ts'
import type { Signal } from './signal.ts'
import { REQUEST } from './tables.ts'
import { after, LENGTH, skip, varint } from './wire.ts'

export interface Normalized {
  readonly bytes: Buffer
  /** Strings that were not UTF-8. */
  readonly repairedStrings: number
}

/**
 * Rewrites a request that `validate` accepted so that bad UTF-8 is replaced by U+FFFD and no singular field occurs
 * twice: of scalars and of the members of a `oneof` the last one stays, messages are merged, as protobuf defines
 * (https://protobuf.dev/programming-guides/encoding/#last-one-wins). Unknown fields and the order of fields are kept.
 */
export function normalize(signal: Signal, bytes: Buffer): Normalized {
  const rewriting = { bytes, out: new BackWriter(), repairedStrings: 0 }
  rewrite(rewriting, REQUEST[signal], [{ from: 0, to: bytes.length }])
  return { bytes: rewriting.out.finish(), repairedStrings: rewriting.repairedStrings }
}

interface Rewriting {
  readonly bytes: Buffer
  readonly out: BackWriter
  repairedStrings: number
}

interface Range {
  readonly from: number
  readonly to: number
}

interface Occurrence extends Range {
  /** Absent for unknown fields. */
  readonly field: Field | undefined
  readonly tag: number
  /** The body, or the bodies of all occurrences of a message that is to be merged. */
  bodies: Range[]
  superseded: boolean
}

function rewrite(rewriting: Rewriting, type: MessageType, ranges: readonly Range[]): void {
  const occurrences: Occurrence[] = []
  const last = new Map<string, Occurrence>()
  for (const range of ranges) {
    for (let p = range.from; p < range.to; ) {
      const occurrence = read(rewriting.bytes, p, range.to, type)
      p = occurrence.to
      occurrences.push(occurrence)
      const { field } = occurrence
      if (field === undefined || field.repeated) continue
      const slot = field.oneof ?? field.name
      const earlier = last.get(slot)
      last.set(slot, occurrence)
      if (earlier === undefined) continue
      earlier.superseded = true
      if (earlier.field === field && field.type !== undefined) {
        earlier.bodies.push(...occurrence.bodies)
        occurrence.bodies = earlier.bodies
      }
    }
  }
  for (let i = occurrences.length - 1; i >= 0; i--) write(rewriting, occurrences[i]!)
}

function read(b: Buffer, from: number, end: number, type: MessageType): Occurrence {
  const tag = varint(b, from)
  let body = after
  const to = skip(b, body, end, tag & 7)
  if ((tag & 7) === LENGTH) {
    varint(b, body)
    body = after
  }
  const number = tag >>> 3
  const field = type.fields.find(known => known.number === number)
  return { field, tag, from, to, bodies: [{ from: body, to }], superseded: false }
}

function write(rewriting: Rewriting, { field, tag, from, to, bodies, superseded }: Occurrence): void {
  const { bytes, out } = rewriting
  if (superseded) return
  const mark = out.mark
  if (field?.type !== undefined) rewrite(rewriting, field.type, bodies)
  else if (field?.kind === 'string' && !isUtf8(bytes.subarray(bodies[0]!.from, to))) {
    rewriting.repairedStrings++
    out.text(bytes.toString('utf8', bodies[0]!.from, to))
  } else {
    out.bytes(bytes, from, to)
    return
  }
  out.length(mark)
  out.varint(tag)
}
