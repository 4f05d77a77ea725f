import { addRow, isEditable, rowsOf } from './edit.ts'
import { RANK, RECORD_RANK } from './levels.ts'
import { fieldEnd, fieldStart, locate, scan } from './locate.ts'
import type { Node } from './node.ts'
import type { Double, ExponentialBuckets, Value } from './records.ts'
import type { Row } from './row.ts'
import { readValue } from './value.ts'
import { after, biguint64, high, LENGTH, low, text, varint, varint64 } from './wire.ts'

/** Singular fields of messages, by field number: read with the edits made so far, and written as edits. */

const NO_BYTES = Buffer.alloc(0)

/** The position of the body in the source or -1, as `locate`. */
function find(node: Node, field: number): number {
  const d = node.draft
  return RANK[node.level] === RECORD_RANK
    ? locate(d.b, d.id, node.start, node.end, field)
    : scan(d.b, node.start, node.end, field)
}

function rowFor(node: Node, field: number): Row | null {
  if (node.rows === null) return null
  let row = rowsOf(node)
  while (row !== null && row.what !== field) row = row.next
  return row
}

/** The position of the body in a literal that is one field. */
function bodyOf(b: Buffer, start: number): number {
  const tag = varint(b, start)
  if ((tag & 7) !== LENGTH) return after
  varint(b, after)
  return after
}

/** A string; the empty one when the field is absent. */
export function readText(node: Node, field: number): string {
  const row = rowFor(node, field)
  if (row !== null) {
    const b = node.draft.literals.b
    return row.start === row.end ? '' : text(b, bodyOf(b, row.start), row.end)
  }
  const p = find(node, field)
  return p < 0 ? '' : text(node.draft.b, p, fieldEnd)
}

/** Bytes as a view of the source; empty when the field is absent. */
export function readBytes(node: Node, field: number): Buffer {
  const row = rowFor(node, field)
  if (row !== null) {
    const b = node.draft.literals.b
    return row.start === row.end ? NO_BYTES : b.subarray(bodyOf(b, row.start), row.end)
  }
  const p = find(node, field)
  return p < 0 ? NO_BYTES : node.draft.b.subarray(p, fieldEnd)
}

/** The same as lower-case hexadecimal digits. */
export function readHex(node: Node, field: number): string {
  if (node.rows !== null) return readBytes(node, field).toString('hex')
  const p = find(node, field)
  return p < 0 ? '' : node.draft.b.toString('hex', p, fieldEnd)
}

/** A varint of 32 bits, signed: an enum, a bool as 0 or 1. */
export function readVarint(node: Node, field: number): number {
  const row = rowFor(node, field)
  if (row !== null) {
    const b = node.draft.literals.b
    return row.start === row.end ? 0 : varint(b, bodyOf(b, row.start)) | 0
  }
  const p = find(node, field)
  return p < 0 ? 0 : varint(node.draft.b, p) | 0
}

/** A zigzag varint of 32 bits. */
export function readZigzag(node: Node, field: number): number {
  const p = find(node, field)
  if (p < 0) return 0
  const n = varint(node.draft.b, p)
  return (n >>> 1) ^ -(n & 1)
}

/** A fixed64 as an unsigned integer, exact; 0 when the field is absent. */
export function readFixed64(node: Node, field: number): bigint {
  const row = rowFor(node, field)
  if (row !== null) {
    const b = node.draft.literals.b
    return row.start === row.end ? 0n : b.readBigUInt64LE(bodyOf(b, row.start))
  }
  const p = find(node, field)
  return p < 0 ? 0n : node.draft.v.getBigUint64(p, true)
}

/** An sfixed64, exact; `undefined` when the field is absent. */
export function readSfixed64(node: Node, field: number): bigint | undefined {
  const row = rowFor(node, field)
  if (row !== null) {
    const b = node.draft.literals.b
    return row.start === row.end ? undefined : b.readBigInt64LE(bodyOf(b, row.start))
  }
  const p = find(node, field)
  return p < 0 ? undefined : node.draft.v.getBigInt64(p, true)
}

/** A fixed32, unsigned. */
export function readFixed32(node: Node, field: number): number {
  const p = find(node, field)
  return p < 0 ? 0 : node.draft.v.getUint32(p, true)
}

/** A double; `undefined` when the field is absent. */
export function readDouble(node: Node, field: number): number | undefined {
  const row = rowFor(node, field)
  if (row !== null) {
    const b = node.draft.literals.b
    return row.start === row.end ? undefined : b.readDoubleLE(bodyOf(b, row.start))
  }
  const p = find(node, field)
  return p < 0 ? undefined : node.draft.v.getFloat64(p, true)
}

/** An AnyValue; `undefined` when the field is absent. */
export function readAny(node: Node, field: number): Value | undefined {
  const row = rowFor(node, field)
  if (row !== null) {
    const literals = node.draft.literals
    if (row.start === row.end) return undefined
    return readValue(literals.b, literals.v, bodyOf(literals.b, row.start), row.end)
  }
  const p = find(node, field)
  return p < 0 ? undefined : readValue(node.draft.b, node.draft.v, p, fieldEnd)
}

/** One fixed64 less another, as a double; computed on halves, so nothing is allocated. Exact up to 2^53. */
export function readDifference(node: Node, from: number, to: number): number {
  if (node.rows !== null) return Number(readFixed64(node, to) - readFixed64(node, from))
  const v = node.draft.v
  const p = find(node, from)
  const q = find(node, to)
  const high = (q < 0 ? 0 : v.getUint32(q + 4, true)) - (p < 0 ? 0 : v.getUint32(p + 4, true))
  const low = (q < 0 ? 0 : v.getUint32(q, true)) - (p < 0 ? 0 : v.getUint32(p, true))
  return high * 0x1_0000_0000 + low
}

/** The numbers of a repeated fixed64 or double field, packed or not. */
export function readFixedList<T>(node: Node, field: number, read: (v: DataView, p: number) => T): T[] {
  const { b, v } = node.draft
  const found: T[] = []
  const row = rowFor(node, field)
  if (row !== null) {
    if (row.start === row.end) return found
    const { literals } = node.draft
    for (let at = bodyOf(literals.b, row.start); at < row.end; at += 8) found.push(read(literals.v, at))
    return found
  }
  let p = node.start
  for (;;) {
    p = scan(b, p, node.end, field)
    if (p < 0) return found
    const end = fieldEnd
    for (; p + 8 <= end; p += 8) found.push(read(v, p))
    p = end
  }
}

/** Where the message in a field lies, and in which bytes; `undefined` when the field is absent. */
export function readMessage(node: Node, field: number): { b: Buffer; start: number; end: number } | undefined {
  const row = rowFor(node, field)
  if (row !== null) {
    const b = node.draft.literals.b
    return row.start === row.end ? undefined : { b, start: bodyOf(b, row.start), end: row.end }
  }
  const b = node.draft.b
  const start = find(node, field)
  return start < 0 ? undefined : { b, start, end: fieldEnd }
}

/** The numbers of a repeated uint64 field of the message `[start, end)`, packed or not. */
export function readVarintList(b: Buffer, start: number, end: number, field: number): bigint[] {
  const found: bigint[] = []
  let p = start
  for (;;) {
    p = scan(b, p, end, field)
    if (p < 0) return found
    const stop = fieldEnd
    while (p < stop) {
      varint64(b, p)
      p = after
      found.push(biguint64(low, high))
    }
  }
}

/** Records that the field is from now on the literal that begins at `start` and ends at `literals.end`. */
function replace(node: Node, field: number, start: number): void {
  const end = node.draft.literals.end
  const row = rowFor(node, field)
  if (row !== null) {
    row.start = start
    row.end = end
  } else if (find(node, field) >= 0) addRow(node, fieldStart, fieldEnd, start, end, field)
  else if (start !== end) addRow(node, node.end, node.end, start, end, field)
}

export function writeText(node: Node, field: number, text: string): void {
  if (isEditable(node)) replace(node, field, node.draft.literals.text(field, text))
}

export function writeBytes(node: Node, field: number, bytes: Uint8Array): void {
  if (isEditable(node)) replace(node, field, node.draft.literals.bytes(field, bytes))
}

/** @throws {RangeError} unless `n` is an integer from 0 to 2^31 - 1. */
export function writeVarint(node: Node, field: number, n: number): void {
  if (!isEditable(node)) return
  replace(node, field, node.draft.literals.varint(field, enumNumber(n)))
}

/** @throws {RangeError} unless `n` is an integer from 0 to 2^64 - 1. */
export function writeFixed64(node: Node, field: number, n: bigint): void {
  if (!isEditable(node)) return
  if (BigInt.asUintN(64, n) !== n) throw new RangeError(`Could not set an unsigned integer of 64 bits to ${n}`)
  replace(node, field, node.draft.literals.fixed64(field, n))
}

/** `undefined` takes the field away. */
export function writeDouble(node: Node, field: number, n: number | undefined): void {
  if (!isEditable(node)) return
  const { literals } = node.draft
  replace(node, field, n === undefined ? literals.nothing() : literals.double(field, n))
}

/**
 * `undefined` takes the field away.
 * @throws {RangeError} unless `n` is an integer from -2^63 to 2^63 - 1.
 */
export function writeSfixed64(node: Node, field: number, n: bigint | undefined): void {
  if (!isEditable(node)) return
  if (n !== undefined && BigInt.asIntN(64, n) !== n) {
    throw new RangeError(`Could not set an integer of 64 bits to ${n}`)
  }
  const { literals } = node.draft
  replace(node, field, n === undefined ? literals.nothing() : literals.sfixed64(field, n))
}

/**
 * A repeated field of fixed64, which the sender may have written in several parts.
 * @throws {RangeError} unless each is an integer from 0 to 2^64 - 1.
 */
export function writeFixedList(node: Node, field: number, numbers: readonly bigint[]): void {
  if (!isEditable(node)) return
  unsigned64(numbers)
  const known = rowFor(node, field) !== null
  replace(node, field, node.draft.literals.fixed64s(field, numbers))
  if (known) return
  const { b } = node.draft
  let p = scan(b, node.start, node.end, field)
  while (p >= 0) {
    p = scan(b, fieldEnd, node.end, field)
    if (p >= 0) addRow(node, fieldStart, fieldEnd, 0, 0, null)
  }
}

/** @throws {RangeError} unless each count is an integer from 0 to 2^64 - 1. */
export function writeBuckets(node: Node, field: number, buckets: ExponentialBuckets): void {
  if (!isEditable(node)) return
  unsigned64(buckets.bucketCounts)
  replace(node, field, node.draft.literals.buckets(field, buckets))
}

function unsigned64(numbers: readonly bigint[]): void {
  for (const n of numbers) {
    if (BigInt.asUintN(64, n) !== n) throw new RangeError(`Could not set an unsigned integer of 64 bits to ${n}`)
  }
}

/** `undefined` takes the field away. */
export function writeAny(node: Node, field: number, value: Value | Double | undefined): void {
  if (!isEditable(node)) return
  const literals = node.draft.literals
  replace(node, field, value === undefined ? literals.nothing() : literals.value(field, value))
}

export function writeStatus(node: Node, field: number, code: number, message: string): void {
  if (isEditable(node)) replace(node, field, node.draft.literals.status(field, enumNumber(code), message))
}

function enumNumber(n: number): number {
  if (n >>> 0 !== n || n > 0x7fff_ffff) throw new RangeError(`Could not set an enumeration to ${n}`)
  return n
}

/** The message in a field, read as a status: `[code, message]`. */
export function readStatus(node: Node, field: number): { code: number; message: string } {
  const row = rowFor(node, field)
  let b = node.draft.b
  let start = 0
  let end = 0
  if (row === null) {
    start = find(node, field)
    end = fieldEnd
  } else if (row.start !== row.end) {
    b = node.draft.literals.b
    start = bodyOf(b, row.start)
    end = row.end
  }
  if (start < 0) end = start
  const code = scan(b, start, end, 3)
  const message = scan(b, start, end, 2)
  return { code: code < 0 ? 0 : varint(b, code) | 0, message: message < 0 ? '' : text(b, message, fieldEnd) }
}
