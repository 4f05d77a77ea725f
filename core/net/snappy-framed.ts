/**
 * The snappy framing format: a stream identifier, then chunks with checksums.
 * Source: https://github.com/google/snappy/blob/main/framing_format.txt
 * @module
 */
import { crc32c } from './crc32c.ts'
import { DecompressionError } from './decompression-error.ts'
import { snappyCompress, snappyDecompress } from './snappy.ts'

const IDENTIFIER = Buffer.from('ff060000734e61507059', 'hex')
const COMPRESSED = 0x00
const UNCOMPRESSED = 0x01
const STREAM_IDENTIFIER = 0xff
/** Reserved chunk types from here on may be skipped. */
const SKIPPABLE = 0x80
/** Raw bytes in one chunk, at most. */
const MAX_CHUNK = 1 << 16

/** Whether a body begins with the identifier of the framed format. */
export function isSnappyFramed(input: Buffer): boolean {
  return input.length >= IDENTIFIER.length && IDENTIFIER.equals(input.subarray(0, IDENTIFIER.length))
}

/**
 * Undoes the framed format.
 * @throws {DecompressionError} `malformed` or `too_large`
 */
export function snappyUnframe(input: Buffer, limit: number): Buffer {
  if (!isSnappyFramed(input)) throw malformed('it does not begin with the stream identifier')
  const output: Buffer[] = []
  let total = 0
  for (let at = 0; at < input.length; ) {
    if (at + 4 > input.length) throw malformed('it ends within a chunk header')
    const type = input[at]!
    const end = at + 4 + input.readUIntLE(at + 1, 3)
    if (end > input.length) throw malformed('it ends within a chunk')
    const body = input.subarray(at + 4, end)
    at = end
    if (type === STREAM_IDENTIFIER) {
      if (!body.equals(IDENTIFIER.subarray(4))) throw malformed('a stream identifier is wrong')
      continue
    }
    if (type >= SKIPPABLE) continue
    if (type > UNCOMPRESSED) throw malformed(`chunk type ${type} is not known`)
    if (body.length < 4) throw malformed('a chunk has no checksum')
    const data = type === COMPRESSED ? uncompressed(body.subarray(4)) : body.subarray(4)
    if (data.length > MAX_CHUNK) throw malformed('a chunk is too large')
    if (masked(data) !== body.readUInt32LE(0)) throw malformed('a checksum does not match')
    total += data.length
    if (total > limit) throw DecompressionError.tooLarge(limit)
    output.push(data)
  }
  return Buffer.concat(output, total)
}

/** Compresses into the framed format. */
export function snappyFrame(input: Buffer): Buffer {
  const output: Buffer[] = [IDENTIFIER]
  for (let at = 0; at < input.length; at += MAX_CHUNK) {
    const raw = input.subarray(at, at + MAX_CHUNK)
    const small = snappyCompress(raw)
    const useful = small.length < raw.length - raw.length / 8
    const data = useful ? small : raw
    const header = Buffer.allocUnsafe(8)
    header[0] = useful ? COMPRESSED : UNCOMPRESSED
    header.writeUIntLE(data.length + 4, 1, 3)
    header.writeUInt32LE(masked(raw), 4)
    output.push(header, data)
  }
  return Buffer.concat(output)
}

function uncompressed(block: Buffer): Buffer {
  try {
    return snappyDecompress(block, MAX_CHUNK)
  } catch (error) {
    if (error instanceof DecompressionError && error.kind === 'too_large') throw malformed('a chunk is too large')
    throw error
  }
}

/** The checksum as the format stores it: rotated and offset, so that checksums of checksums stay strong. */
function masked(data: Buffer): number {
  const crc = crc32c(data)
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0
}

function malformed(why: string): DecompressionError {
  return DecompressionError.malformed('snappy', why)
}
