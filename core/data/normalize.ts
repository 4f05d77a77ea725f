import { isUtf8 } from 'node:buffer'
import { BackWriter } from './back-writer.ts'
import type { Field, MessageType } from './message-type.ts'
import type { Signal } from './signal.ts'
import { ITEMS, REQUEST } from './tables.ts'
import { keyValueMessage } from './tables-common.ts'
import { isNormal } from './validate.ts'
import { validationPlan } from './validation-plan.ts'
import { after, LENGTH, skip, varint, viewOf } from './wire.ts'

export interface Normalized {
  readonly bytes: Buffer
  /** Strings that were not UTF-8. */
  readonly repairedStrings: number
}

/**
 * Rewrites a request that `validate` accepted so that bad UTF-8 is replaced by U+FFFD and no singular field occurs
 * twice: of scalars and of the members of a `oneof` the last one stays, messages are merged, as protobuf defines
 * (https://protobuf.dev/programming-guides/encoding/#last-one-wins). Unknown fields and the order of fields are kept, and items
 * and attributes in which nothing is wrong are copied as they are.
 */
export function normalize(signal: Signal, bytes: Buffer): Normalized {
  const rewriting = { bytes, view: viewOf(bytes), out: new BackWriter(), repairedStrings: 0 }
  rewrite(rewriting, REQUEST[signal], [0, bytes.length])
  return { bytes: rewriting.out.finish(), repairedStrings: rewriting.repairedStrings }
}

interface Rewriting {
  readonly bytes: Buffer
  readonly view: DataView
  readonly out: BackWriter
  repairedStrings: number
}

/** What stays of a singular field, or of a group of alternatives. */
interface Winner {
  field: Field
  /** Where the last occurrence begins, in whose place it is written. */
  start: number
  /** Begin and end of the body of each occurrence. */
  bodies: number[]
}

/** Registers: the body of the field read last. */
let body = 0
let bodyEnd = 0

/** Reads the field at `p` into the registers and returns its tag. */
function readField(b: Buffer, p: number, end: number): number {
  const tag = varint(b, p)
  body = after
  bodyEnd = skip(b, body, end, tag & 7)
  if ((tag & 7) === LENGTH) {
    varint(b, body)
    body = after
  }
  return tag
}

/** Writes the message whose fields lie in `ranges`, pairs of begin and end. */
function rewrite(rewriting: Rewriting, type: MessageType, ranges: readonly number[]): void {
  const { bytes } = rewriting
  const winners = new Map<string, Winner>()
  // Flat numbers, not objects: one bad string must not make a large message many times as large in memory.
  const fields: number[] = []
  for (let i = 0; i < ranges.length; i += 2) {
    const end = ranges[i + 1]!
    for (let p = ranges[i]!; p < end; p = bodyEnd) {
      const field = type.field(readField(bytes, p, end) >>> 3)
      fields.push(p, bodyEnd)
      if (field !== undefined && !field.repeated) elect(winners, field, p)
    }
  }
  for (let i = fields.length - 2; i >= 0; i -= 2) write(rewriting, type, winners, fields[i]!, fields[i + 1]!)
}

/** Takes note of the occurrence of a singular field that begins at `start` and whose body is in the registers. */
function elect(winners: Map<string, Winner>, field: Field, start: number): void {
  const slot = field.oneof ?? field.name
  const earlier = winners.get(slot)
  if (earlier === undefined) winners.set(slot, { field, start, bodies: [body, bodyEnd] })
  else {
    if (earlier.field !== field || field.type === undefined) earlier.bodies = []
    earlier.field = field
    earlier.start = start
    earlier.bodies.push(body, bodyEnd)
  }
}

function write(
  rewriting: Rewriting,
  type: MessageType,
  winners: Map<string, Winner>,
  start: number,
  end: number,
): void {
  const { bytes, out } = rewriting
  const tag = readField(bytes, start, end)
  const from = body
  const field = type.field(tag >>> 3)
  const winner = field === undefined || field.repeated ? undefined : winners.get(field.oneof ?? field.name)!
  if (winner !== undefined && winner.start !== start) return
  const mark = out.mark
  if (field?.type !== undefined && !isWhole(rewriting, field.type, from, end))
    rewrite(rewriting, field.type, winner?.bodies ?? [from, end])
  else if (field?.kind === 'string' && !isUtf8(bytes.subarray(from, end))) {
    rewriting.repairedStrings++
    out.text(bytes.toString('utf8', from, end))
  } else {
    out.bytes(bytes, start, end)
    return
  }
  out.length(mark)
  out.varint(tag)
}

/** Looked at as a whole before they are taken apart: most have nothing to repair. */
const WHOLE = new Set([...ITEMS, keyValueMessage])

function isWhole({ bytes, view }: Rewriting, type: MessageType, from: number, end: number): boolean {
  return WHOLE.has(type) && isNormal(validationPlan(type), bytes, view, from, end)
}
