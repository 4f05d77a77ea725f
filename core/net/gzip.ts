/** The gzip (RFC 1952) and zlib (RFC 1950) formats. @module */
import * as zlib from 'node:zlib'
import { chunkSize, isTooLarge, job, SYNC_OUTPUT, SYNC_PATIENCE, zlibError } from './zlib-jobs.ts'

/** Bodies up to this size are compressed on the calling thread. */
const SYNC_INPUT = 32 << 10
const FASTEST = 1

type Options = zlib.ZlibOptions & { maxOutputLength: number }
type Sync = (bytes: Buffer, options: Options) => Buffer
type Async = (bytes: Buffer, options: Options, done: (error: Error | null, result: Buffer) => void) => void

/** All members of a gzip body. Rejects or throws a DecompressionError. */
export function gunzip(bytes: Buffer, limit: number): Buffer | Promise<Buffer> {
  // The last four bytes tell the size of the last member modulo 2^32 (RFC 1952 §2.3.1). A lie costs rounds, nothing else.
  const hint = bytes.length < 18 ? 0 : bytes.readUInt32LE(bytes.length - 4)
  return expand(zlib.gunzipSync, zlib.gunzip, 'gzip', bytes, hint, limit)
}

/** A zlib body, which HTTP calls `deflate`. Rejects or throws a DecompressionError. */
export function inflate(bytes: Buffer, limit: number): Buffer | Promise<Buffer> {
  return expand(zlib.inflateSync, zlib.inflate, 'zlib', bytes, bytes.length * 8, limit)
}

export function gzip(bytes: Buffer, level = FASTEST): Buffer | Promise<Buffer> {
  return shrink(zlib.gzipSync, zlib.gzip, bytes, level)
}

export function deflate(bytes: Buffer, level = FASTEST): Buffer | Promise<Buffer> {
  return shrink(zlib.deflateSync, zlib.deflate, bytes, level)
}

function expand(sync: Sync, async: Async, encoding: string, bytes: Buffer, hint: number, limit: number) {
  const options = (maximum: number) => ({
    // Node takes no limit of zero: an empty result passes either way, one byte too many is caught below.
    maxOutputLength: Math.max(1, maximum),
    chunkSize: chunkSize(hint, bytes.length, maximum),
  })
  if (hint <= SYNC_OUTPUT && bytes.length <= SYNC_OUTPUT) {
    const patience = Math.min(limit, SYNC_PATIENCE)
    try {
      return within(sync(bytes, options(patience)), encoding, limit)
    } catch (error) {
      if (!isTooLarge(error) || patience === limit) throw zlibError(error, encoding, limit)
    }
  }
  return job<Buffer>(done => async(bytes, options(limit), done)).then(
    result => within(result, encoding, limit),
    error => {
      throw zlibError(error, encoding, limit)
    },
  )
}

function within(result: Buffer, encoding: string, limit: number): Buffer {
  if (result.length > limit) throw zlibError({ code: 'ERR_BUFFER_TOO_LARGE' }, encoding, limit)
  return result
}

function shrink(
  sync: (bytes: Buffer, options: zlib.ZlibOptions) => Buffer,
  async: (bytes: Buffer, options: zlib.ZlibOptions, done: (error: Error | null, result: Buffer) => void) => void,
  bytes: Buffer,
  level: number,
): Buffer | Promise<Buffer> {
  // Level -2 is Go's name for Huffman coding only.
  const strategy = level === -2 ? { strategy: zlib.constants.Z_HUFFMAN_ONLY } : { level }
  const options = { ...strategy, chunkSize: Math.max(1024, bytes.length >> 2) }
  if (bytes.length <= SYNC_INPUT) return sync(bytes, options)
  return job<Buffer>(done => async(bytes, options, done))
}
