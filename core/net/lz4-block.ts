/**
 * The LZ4 block format. Source: https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md
 * @module
 */
import { copyBack } from './copy-back.ts'
import { DecompressionError } from './decompression-error.ts'

const MIN_MATCH = 4
/** The last five bytes of a block are literals, and no match begins in its last twelve. */
const LAST_LITERALS = 5
const NO_MATCH = 12
const TABLE_BITS = 16
const HASH = 0x9e3779b1
const MAX_OFFSET = 0xffff

/**
 * Appends a block's content to an output that grows.
 * @param reserve gives the output with room for so many bytes in all
 * @param to where to write
 * @param base where matches may begin
 * @param room the size of the output, at most
 * @param limit set when `room` is the caller's limit, so that reaching it means too large, not malformed
 * @returns the end of the output
 */
export function lz4Unblock(
  input: Buffer,
  reserve: (size: number) => Buffer,
  to: number,
  base: number,
  room: number,
  limit: number | undefined,
): number {
  let at = 0
  const grow = (size: number) => {
    if (to + size <= room) return reserve(to + size)
    throw limit === undefined
      ? malformed('a block is larger than its frame allows')
      : DecompressionError.tooLarge(limit)
  }
  const extended = (start: number) => {
    if (start < 15) return start
    let size = start
    for (;;) {
      const byte = input[at++]
      if (byte === undefined) throw malformed('it ends within a length')
      size += byte
      if (byte !== 255) return size
    }
  }
  while (at < input.length) {
    const token = input[at++]!
    const literals = extended(token >> 4)
    if (at + literals > input.length) throw malformed('it ends within a literal')
    if (literals > 0) {
      input.copy(grow(literals), to, at, at + literals)
      at += literals
      to += literals
    }
    if (at === input.length) return to
    const offset = (input[at] ?? 0) | ((input[at + 1] ?? 0) << 8)
    at += 2
    if (at > input.length) throw malformed('it ends within a match')
    if (offset === 0 || to - offset < base) throw malformed('a match reaches before the beginning')
    const size = extended(token & 15) + MIN_MATCH
    copyBack(grow(size), to, offset, size)
    to += size
  }
  throw malformed('a block does not end with literals')
}

/** Compresses one block. The result may be longer than the input. */
export function lz4Block(input: Buffer): Buffer {
  const output = Buffer.allocUnsafeSlow(input.length + Math.floor(input.length / 255) + 16)
  const table = new Int32Array(1 << TABLE_BITS).fill(-1)
  const last = input.length - NO_MATCH
  let to = 0
  let literal = 0
  let step = 64
  for (let at = 0; at < last; ) {
    const word = input.readInt32LE(at)
    const hash = Math.imul(word, HASH) >>> (32 - TABLE_BITS)
    const candidate = table[hash]!
    table[hash] = at
    if (candidate < 0 || at - candidate > MAX_OFFSET || input.readInt32LE(candidate) !== word) {
      at += step++ >> 6
      continue
    }
    step = 64
    let size = MIN_MATCH
    const end = input.length - LAST_LITERALS - at
    while (size < end && input[candidate + size] === input[at + size]) size++
    to = emit(input, literal, at, output, to, size - MIN_MATCH)
    output[to++] = (at - candidate) & 0xff
    output[to++] = (at - candidate) >> 8
    to = emitLength(output, to, size - MIN_MATCH)
    at += size
    literal = at
  }
  return output.subarray(0, emit(input, literal, input.length, output, to, 0))
}

/** Token and literals; the match's own length goes behind its offset. */
function emit(input: Buffer, from: number, end: number, output: Buffer, to: number, match: number): number {
  const literals = end - from
  output[to++] = (Math.min(literals, 15) << 4) | Math.min(match, 15)
  to = emitLength(output, to, literals)
  input.copy(output, to, from, end)
  return to + literals
}

function emitLength(output: Buffer, to: number, length: number): number {
  if (length < 15) return to
  let rest = length - 15
  for (; rest >= 255; rest -= 255) output[to++] = 255
  output[to++] = rest
  return to
}

function malformed(why: string): DecompressionError {
  return DecompressionError.malformed('lz4', why)
}
