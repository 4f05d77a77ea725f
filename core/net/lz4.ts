/**
 * The LZ4 frame format. Source: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md
 * @module
 */
import { DecompressionError } from './decompression-error.ts'
import { lz4Block, lz4Unblock } from './lz4-block.ts'
import { xxhash32 } from './xxhash32.ts'

const MAGIC = 0x184d2204
/** Skippable frames have magic numbers 0x184d2a50 to 0x184d2a5f. */
const SKIPPABLE = 0x184d2a5
const UNCOMPRESSED = 0x80000000
const MAX_BLOCK = [0, 0, 0, 0, 64 << 10, 256 << 10, 1 << 20, 4 << 20]
/** Version 1, independent blocks of at most 4 MiB, content checksum. */
const FLAGS = 0x64
const BLOCK_SIZE = 0x70
const BLOCK = 4 << 20

/**
 * All frames of an LZ4 body, checksums verified.
 * @throws {DecompressionError} `malformed`, `too_large`, or `unsupported` for frames with a dictionary
 */
export function lz4Decompress(input: Buffer, limit: number): Buffer {
  if (input.length === 0) throw malformed('it is empty')
  const output: Buffer[] = []
  let total = 0
  for (let at = 0; at < input.length; ) {
    if (at + 8 > input.length) throw malformed('it ends within a frame header')
    const magic = input.readUInt32LE(at)
    if (magic >>> 4 === SKIPPABLE) {
      at += 8 + input.readUInt32LE(at + 4)
      if (at > input.length) throw malformed('it ends within a skippable frame')
      continue
    }
    if (magic !== MAGIC) throw malformed('a frame does not begin with the magic number')
    const frame = readFrame(input, at + 4, limit - total)
    output.push(frame.bytes)
    total += frame.bytes.length
    at = frame.end
  }
  return output.length === 1 ? output[0]! : Buffer.concat(output, total)
}

function readFrame(input: Buffer, start: number, limit: number): { bytes: Buffer; end: number } {
  const flags = input[start]!
  if (flags >> 6 !== 1) throw malformed(`version ${flags >> 6} is not known`)
  if (flags & 1) throw new DecompressionError('unsupported', 'Body is lz4 with a dictionary, which is not supported')
  const maximum = MAX_BLOCK[(input[start + 1]! >> 4) & 7]!
  if (maximum === 0) throw malformed('the block size is not known')
  const descriptor = input.subarray(start, start + 2 + (flags & 8 ? 8 : 0))
  let at = start + descriptor.length
  if (input[at++] !== ((xxhash32(descriptor) >>> 8) & 0xff)) throw malformed('the header checksum does not match')
  // The size in the header is only a hint: the buffer grows with what really comes.
  let bytes = Buffer.allocUnsafeSlow(Math.min(limit, Math.max(1024, (input.length - at) * 4)))
  let length = 0
  const reserve = (size: number) => {
    if (size <= bytes.length) return bytes
    const larger = Buffer.allocUnsafeSlow(Math.min(limit, Math.max(size, bytes.length * 2)))
    // A block under way has already written beyond `length`.
    bytes.copy(larger)
    bytes = larger
    return bytes
  }
  for (;;) {
    if (at + 4 > input.length) throw malformed('it ends within a block header')
    const header = input.readUInt32LE(at)
    at += 4
    if (header === 0) break
    const size = header & 0x7fffffff
    if (size > maximum || at + size > input.length) throw malformed('a block is too long')
    const block = input.subarray(at, at + size)
    at += size
    if (flags & 0x10) {
      if (at + 4 > input.length || input.readUInt32LE(at) !== xxhash32(block)) {
        throw malformed('a block checksum does not match')
      }
      at += 4
    }
    const linked = (flags & 0x20) === 0
    const room = Math.min(limit, length + maximum)
    if (header >= UNCOMPRESSED) {
      if (length + size > limit) throw DecompressionError.tooLarge(limit)
      block.copy(reserve(length + size), length)
      length += size
    } else length = lz4Unblock(block, reserve, length, linked ? 0 : length, room, room === limit ? limit : undefined)
  }
  const result = bytes.subarray(0, length)
  if (flags & 4) {
    if (at + 4 > input.length || input.readUInt32LE(at) !== xxhash32(result)) {
      throw malformed('the content checksum does not match')
    }
    at += 4
  }
  return { bytes: result, end: at }
}

/** Compresses into one frame. */
export function lz4Compress(input: Buffer): Buffer {
  const head = Buffer.from([0x04, 0x22, 0x4d, 0x18, FLAGS, BLOCK_SIZE, 0])
  head[6] = (xxhash32(head.subarray(4, 6)) >>> 8) & 0xff
  const output: Buffer[] = [head]
  for (let at = 0; at < input.length; at += BLOCK) {
    const raw = input.subarray(at, at + BLOCK)
    const small = lz4Block(raw)
    const useful = small.length < raw.length
    const header = Buffer.allocUnsafe(4)
    header.writeUInt32LE(useful ? small.length : raw.length + UNCOMPRESSED)
    output.push(header, useful ? small : raw)
  }
  const tail = Buffer.alloc(8)
  tail.writeUInt32LE(xxhash32(input), 4)
  output.push(tail)
  return Buffer.concat(output)
}

function malformed(why: string): DecompressionError {
  return DecompressionError.malformed('lz4', why)
}
