/**
 * Compression of whole bodies, as HTTP `Content-Encoding` and gRPC `grpc-encoding` name it. Small bodies are handled on
 * the calling thread, because handing them to zlib's threads costs the event loop as much; large ones are not.
 * @module
 */
import { DecompressionError } from './decompression-error.ts'
import { deflate, gunzip, gzip, inflate } from './gzip.ts'
import { lz4Compress, lz4Decompress } from './lz4.ts'
import { snappyCompress, snappyDecompress } from './snappy.ts'
import { isSnappyFramed, snappyFrame, snappyUnframe } from './snappy-framed.ts'
import { zstdCompress, zstdDecompress } from './zstd.ts'

/** Every encoding that is understood in both directions. `none` and `identity` leave the bytes as they are. */
export const ENCODINGS = [
  'gzip',
  'zstd',
  'deflate',
  'zlib',
  'snappy',
  'x-snappy-framed',
  'lz4',
  'none',
  'identity',
] as const
export type Encoding = (typeof ENCODINGS)[number]

/**
 * Undoes `encoding`. `deflate` and `zlib` both mean the zlib format; `snappy` takes the block and the framed format.
 * The result holds at most `limit` bytes. It may share memory with `bytes`.
 * @throws {DecompressionError} also as a rejection: `malformed`, `too_large` (more than `limit`), `unsupported`
 */
export function decompress(bytes: Buffer, encoding: string, limit: number): Buffer | Promise<Buffer> {
  switch (encoding) {
    case '':
    case 'none':
    case 'identity':
      if (bytes.length > limit) throw DecompressionError.tooLarge(limit)
      return bytes
    case 'gzip':
      return gunzip(bytes, limit)
    case 'deflate':
    case 'zlib':
      return inflate(bytes, limit)
    case 'zstd':
      return zstdDecompress(bytes, limit)
    case 'snappy':
      return isSnappyFramed(bytes) ? snappyUnframe(bytes, limit) : snappyDecompress(bytes, limit)
    case 'x-snappy-framed':
      return snappyUnframe(bytes, limit)
    case 'lz4':
      return lz4Decompress(bytes, limit)
    default:
      throw new DecompressionError('unsupported', `unsupported Content-Encoding: ${encoding}`)
  }
}

/**
 * Compresses the concatenation of `pieces`. `level` is the encoding's own (gzip, deflate, zlib: -1 to 9, zstd: 1 to 22;
 * the others have none); without it the fastest.
 */
export function compress(pieces: readonly Buffer[], encoding: Encoding, level?: number): Buffer | Promise<Buffer> {
  const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
  switch (encoding) {
    case 'gzip':
      return gzip(bytes, level)
    case 'deflate':
    case 'zlib':
      return deflate(bytes, level)
    case 'zstd':
      return zstdCompress(bytes, level)
    case 'snappy':
      return snappyCompress(bytes)
    case 'x-snappy-framed':
      return snappyFrame(bytes)
    case 'lz4':
      return lz4Compress(bytes)
    case 'none':
    case 'identity':
      return bytes
  }
}
