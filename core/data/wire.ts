/**
 * Primitives of the protobuf wire format, as free functions over (bytes, position).
 *
 * Functions that have two results return one and leave the other in a module variable ("register"): `after`, `low`,
 * `high`. A register is read at once by the caller, before anything else is called. Nothing here throws on malformed
 * bytes: every read advances, so a loop of the form `while (p < end)` terminates; the door is what rejects.
 */

/** Register: the position behind what the last function that reads a varint has read. */
export let after = 0
/** Registers: lower and upper half of the last `varint64`, as signed 32-bit integers. */
export let low = 0
export let high = 0

export const VARINT = 0
export const FIXED64 = 1
export const LENGTH = 2
export const FIXED32 = 5

/** A `DataView` of the same bytes: the fast way to words and to fixed 32 and 64 bit fields. */
export function viewOf(b: Buffer): DataView {
  return new DataView(b.buffer, b.byteOffset, b.byteLength)
}

/** The lower 32 bits of the varint at `p`, unsigned; the position behind it goes to `after`. */
export function varint(b: Buffer, p: number): number {
  const n = b[p]!
  if (n > 127) return rest(b, p + 1, n) >>> 0
  after = p + 1
  return n
}

/**
 * The rest of a length whose first byte was `first`, found before `p` and above 127: loops inline the other case, `let n =
 * b[p++]!; if (n > 127) { n = longLength(b, p, n); p = after }`. Below 2^30, so that a position and a
 * length add up to a small integer whatever the bytes are: V8 then compares positions as integers, and none turns negative.
 */
export function longLength(b: Buffer, p: number, first: number): number {
  return rest(b, p, first) & 0x3fff_ffff
}

/** The same for a tag. Of tags of 2^31 and more, which nothing is known to have, only the wire type is kept. */
export function longTag(b: Buffer, p: number, first: number): number {
  const tag = rest(b, p, first)
  return tag < 0 ? 0x7fff_fff8 | (tag & 7) : tag
}

function rest(b: Buffer, p: number, first: number): number {
  let x = b[p++]!
  let n = (first & 127) | ((x & 127) << 7)
  if (x > 127) {
    x = b[p++]!
    n |= (x & 127) << 14
    if (x > 127) {
      x = b[p++]!
      n |= (x & 127) << 21
      if (x > 127) {
        x = b[p++]!
        n |= (x & 127) << 28
        for (let more = 0; x > 127 && more < 5; more++) x = b[p++]!
      }
    }
  }
  after = p
  return n
}

/** Reads all 64 bits of the varint at `p` into `low` and `high`; the position behind it goes to `after`. */
export function varint64(b: Buffer, p: number): void {
  let x = b[p++]!
  let lo = x & 127
  let hi = 0
  let shift = 7
  while (x > 127 && shift < 70) {
    x = b[p++]!
    const bits = x & 127
    if (shift < 28) lo |= bits << shift
    else if (shift === 28) {
      lo |= bits << 28
      hi = bits >>> 4
    } else hi |= bits << (shift - 32)
    shift += 7
  }
  after = p
  low = lo
  high = hi
}

/** The position behind the field body at `p` of the given wire type, at most `end`. */
export function skip(b: Buffer, p: number, end: number, wireType: number): number {
  if (wireType === LENGTH) {
    let n = b[p++]!
    if (n > 127) {
      n = longLength(b, p, n)
      p = after
    }
    p += n
  } else if (wireType === VARINT) {
    while (b[p]! > 127) p++
    p++
  } else if (wireType === FIXED64) p += 8
  else if (wireType === FIXED32) p += 4
  else p = end
  return Math.min(p, end)
}

/** A signed 64-bit integer from its halves: `number` while safe, else `bigint`. */
export function int64(lo: number, hi: number): number | bigint {
  const n = hi * 0x1_0000_0000 + (lo >>> 0)
  return Number.isSafeInteger(n) ? n : bigint64(lo, hi)
}

/** A signed 64-bit integer from its halves, exact. */
export function bigint64(lo: number, hi: number): bigint {
  return (BigInt(hi) << 32n) | BigInt(lo >>> 0)
}

/** An unsigned 64-bit integer from its halves, exact. */
export function biguint64(lo: number, hi: number): bigint {
  return (BigInt(hi >>> 0) << 32n) | BigInt(lo >>> 0)
}

/** Whether `size` bytes at `p` equal those at `q` of another buffer. Compares words, the last one first. */
export function equalBytes(v: DataView, p: number, w: DataView, q: number, size: number): boolean {
  if (size < 4) {
    for (let i = 0; i < size; i++) if (v.getUint8(p + i) !== w.getUint8(q + i)) return false
    return true
  }
  const last = size - 4
  if (v.getInt32(p + last) !== w.getInt32(q + last)) return false
  for (let i = 0; i < last; i += 4) if (v.getInt32(p + i) !== w.getInt32(q + i)) return false
  return true
}

/** Bytes that `n`, an unsigned 32-bit integer, takes as a varint. */
export function varintSize(n: number): number {
  if (n < 0x80) return 1
  if (n < 0x4000) return 2
  if (n < 0x20_0000) return 3
  return n < 0x1000_0000 ? 4 : 5
}

/** Writes `n`, an unsigned 32-bit integer, at `p`; returns the position behind it. */
export function putVarint(out: Buffer, p: number, n: number): number {
  while (n > 127) {
    out[p++] = (n & 127) | 128
    n >>>= 7
  }
  out[p++] = n
  return p
}

/** Writes the 64 bits in `lo` and `hi` as a varint of at most 10 bytes; returns the position behind it. */
export function putVarint64(out: Buffer, p: number, lo: number, hi: number): number {
  while (hi !== 0 || lo >>> 0 > 127) {
    out[p++] = (lo & 127) | 128
    lo = (lo >>> 7) | (hi << 25)
    hi >>>= 7
  }
  out[p++] = lo
  return p
}

/** Writes `text` as UTF-8; returns the position behind it. The caller has made room for `3 * text.length` bytes. */
export function putText(out: Buffer, p: number, text: string): number {
  const n = text.length
  if (n < 24) {
    let i = 0
    for (; i < n; i++) {
      const c = text.charCodeAt(i)
      if (c > 127) break
      out[p + i] = c
    }
    if (i === n) return p + n
  }
  return p + out.write(text, p)
}

/** Copies `[from, to)` of `source` to `at`; returns the position behind it. A loop is faster than a call when it is short. */
export function copyBytes(source: Buffer, from: number, to: number, out: Buffer, at: number): number {
  const behind = (at + to - from) | 0
  if (to - from >= 24) source.copy(out, at, from, to)
  else for (let p = from | 0, q = at | 0; q < behind; p++, q++) out[q] = source[p]!
  return behind
}

const SLOTS = 4096
const WIDTH = 32
const slotBytes = Buffer.allocUnsafeSlow(SLOTS * WIDTH)
const slotLength = new Uint8Array(SLOTS)
const slotText: string[] = new Array(SLOTS).fill('')

/**
 * The string whose UTF-8 is `[p, end)`. Strings of up to 32 bytes go through a direct-mapped cache of fixed size, since
 * telemetry repeats itself and the call that makes a string costs four times as much as recognising one.
 */
export function text(b: Buffer, p: number, end: number): string {
  const n = end - p
  if (n > WIDTH) return b.toString('utf8', p, end)
  if (n <= 0) return ''
  // Some bytes stand for all; the last ones, since what differs little, as numbered names do, differs there.
  const last = end - 1
  let hash = Math.imul(n ^ b[p]!, 0x9e3779b1)
  hash = Math.imul(hash ^ b[p + (n >> 2)]!, 0x9e3779b1)
  hash = Math.imul(hash ^ b[p + (n >> 1)]!, 0x9e3779b1)
  if (n > 2) hash = Math.imul(hash ^ (b[last - 2]! << 8) ^ b[last - 1]!, 0x9e3779b1)
  hash = Math.imul(hash ^ b[last]!, 0x9e3779b1)
  const slot = hash >>> 20
  const from = slot * WIDTH
  if (slotLength[slot] === n) {
    let i = 0
    while (i < n && slotBytes[from + i] === b[p + i]) i++
    if (i === n) return slotText[slot]!
  }
  const made = b.toString('utf8', p, end)
  for (let i = 0; i < n; i++) slotBytes[from + i] = b[p + i]!
  slotLength[slot] = n
  slotText[slot] = made
  return made
}
