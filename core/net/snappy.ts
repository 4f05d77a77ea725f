/**
 * The snappy block format: the raw length as a varint, then literals and copies.
 * Source: https://github.com/google/snappy/blob/main/format_description.txt
 * @module
 */
import { copyBack } from './copy-back.ts'
import { DecompressionError } from './decompression-error.ts'

/** Copies never reach across blocks of this size, which lets the table of the compressor hold 16-bit positions. */
const BLOCK = 1 << 16
const TABLE_BITS = 14
const HASH = 0x1e35a7bd

/**
 * Undoes the block format.
 * @throws {DecompressionError} `malformed` or `too_large`
 */
export function snappyDecompress(input: Buffer, limit: number): Buffer {
  let at = 0
  let length = 0
  for (let shift = 0; ; shift += 7) {
    const byte = input[at++]
    if (byte === undefined || shift > 28) throw malformed('its length cannot be read')
    length += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) break
  }
  if (length > limit) throw DecompressionError.tooLarge(limit)
  // A copy of three bytes makes at most 64, so a short body cannot make a server reserve much.
  if (length > (input.length - at) * 32) throw malformed('it is too short for the length it tells')
  const output = Buffer.allocUnsafeSlow(length)
  let to = 0
  while (at < input.length) {
    const tag = input[at++]!
    let size: number
    let offset: number
    switch (tag & 3) {
      case 0: {
        size = tag >> 2
        if (size >= 60) {
          const bytes = size - 59
          if (at + bytes > input.length) throw malformed('it ends within a literal')
          size = input.readUIntLE(at, bytes)
          at += bytes
        }
        size++
        if (at + size > input.length || to + size > length) throw malformed('a literal is too long')
        input.copy(output, to, at, at + size)
        at += size
        to += size
        continue
      }
      case 1:
        size = ((tag >> 2) & 7) + 4
        offset = ((tag >> 5) << 8) | (input[at] ?? 0)
        at += 1
        break
      case 2:
        size = (tag >> 2) + 1
        offset = (input[at] ?? 0) | ((input[at + 1] ?? 0) << 8)
        at += 2
        break
      default:
        size = (tag >> 2) + 1
        offset = at + 4 <= input.length ? input.readUInt32LE(at) : 0
        at += 4
    }
    if (at > input.length) throw malformed('it ends within a copy')
    if (offset === 0 || offset > to) throw malformed('a copy reaches before the beginning')
    if (to + size > length) throw malformed('a copy is too long')
    copyBack(output, to, offset, size)
    to += size
  }
  if (to !== length) throw malformed('it is shorter than it tells')
  return output
}

/** Compresses into the block format. */
export function snappyCompress(input: Buffer): Buffer {
  const output = Buffer.allocUnsafeSlow(32 + input.length + Math.floor(input.length / 6))
  let to = 0
  let rest = input.length
  while (rest >= 0x80) {
    output[to++] = (rest & 0x7f) | 0x80
    rest = Math.floor(rest / 128)
  }
  output[to++] = rest
  const table = new Uint16Array(1 << TABLE_BITS)
  for (let start = 0; start < input.length; start += BLOCK) {
    to = compressBlock(input, start, Math.min(input.length, start + BLOCK), output, to, table)
  }
  return output.subarray(0, to)
}

function compressBlock(input: Buffer, start: number, end: number, output: Buffer, to: number, table: Uint16Array) {
  table.fill(0)
  let literal = start
  let at = start + 1
  const last = end - 4
  while (at <= last) {
    // The longer nothing matches the larger the steps: incompressible data passes quickly.
    let step = 32
    let candidate = 0
    let word = 0
    for (;;) {
      word = read32(input, at)
      const hash = Math.imul(word, HASH) >>> (32 - TABLE_BITS)
      candidate = start + table[hash]!
      table[hash] = at - start
      if (candidate < at && read32(input, candidate) === word) break
      at += step++ >> 5
      if (at > last) return emitLiteral(input, literal, end, output, to)
    }
    if (literal < at) to = emitLiteral(input, literal, at, output, to)
    let size = 4
    while (at + size < end && input[candidate + size] === input[at + size]) size++
    to = emitCopy(output, to, at - candidate, size)
    at += size
    literal = at
  }
  return literal < end ? emitLiteral(input, literal, end, output, to) : to
}

function read32(bytes: Buffer, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
}

function emitLiteral(input: Buffer, from: number, end: number, output: Buffer, to: number): number {
  const size = end - from - 1
  if (size < 60) output[to++] = size << 2
  else if (size < 256) {
    output[to++] = 60 << 2
    output[to++] = size
  } else {
    output[to++] = 61 << 2
    output[to++] = size & 0xff
    output[to++] = size >> 8
  }
  input.copy(output, to, from, end)
  return to + end - from
}

function emitCopy(output: Buffer, to: number, offset: number, size: number): number {
  while (size >= 68) {
    to = emitCopy2(output, to, offset, 64)
    size -= 64
  }
  if (size > 64) {
    to = emitCopy2(output, to, offset, 60)
    size -= 60
  }
  if (size >= 12 || offset >= 2048) return emitCopy2(output, to, offset, size)
  output[to++] = ((offset >> 8) << 5) | ((size - 4) << 2) | 1
  output[to++] = offset & 0xff
  return to
}

function emitCopy2(output: Buffer, to: number, offset: number, size: number): number {
  output[to++] = ((size - 1) << 2) | 2
  output[to++] = offset & 0xff
  output[to++] = offset >> 8
  return to
}

function malformed(why: string): DecompressionError {
  return DecompressionError.malformed('snappy', why)
}
