/** Zstandard (RFC 8878). Node stops after the first frame, so frames are taken one by one. @module */
import * as zlib from 'node:zlib'
import { DecompressionError } from './decompression-error.ts'
import { chunkSize, job, SYNC_OUTPUT, SYNC_PATIENCE, zlibError } from './zlib-jobs.ts'

/** Bodies up to this size are compressed on the calling thread. */
const SYNC_INPUT = 256 << 10
const FASTEST = 1
const MAX_FRAMES = 1000
/** 8 MiB, which RFC 9659 sets as the limit for HTTP: else a few bytes could ask for a window of 128 MiB. */
const MAX_WINDOW_LOG = 23
const MAGIC = 0xfd2fb528

/** All frames of a zstd body; skippable frames count for nothing. Rejects or throws a DecompressionError. */
export function zstdDecompress(bytes: Buffer, limit: number): Buffer | Promise<Buffer> {
  if (bytes.length === 0) throw DecompressionError.malformed('zstd', 'it is empty')
  const hint = contentSize(bytes) ?? bytes.length * 8
  if (hint <= SYNC_OUTPUT && bytes.length <= SYNC_OUTPUT) {
    const patience = Math.min(limit, SYNC_PATIENCE)
    try {
      return allFramesSync(bytes, hint, patience)
    } catch (error) {
      const impatient = error instanceof DecompressionError && error.kind === 'too_large' && patience < limit
      if (!impatient) throw error
    }
  }
  return allFrames(bytes, hint, limit)
}

export function zstdCompress(bytes: Buffer, level = FASTEST): Buffer | Promise<Buffer> {
  const options = {
    chunkSize: Math.max(1024, bytes.length >> 2),
    pledgedSrcSize: bytes.length,
    params: { [zlib.constants.ZSTD_c_compressionLevel]: level },
  }
  if (bytes.length <= SYNC_INPUT) return zlib.zstdCompressSync(bytes, options)
  return job<Buffer>(done => zlib.zstdCompress(bytes, options, done))
}

interface Frame {
  readonly buffer: Buffer
  /** `bytesWritten`: compressed bytes that were used. */
  readonly engine: { readonly bytesWritten: number }
}

function allFramesSync(bytes: Buffer, hint: number, limit: number): Buffer {
  const result = new Result(bytes, limit)
  while (!result.complete) {
    try {
      // With `info` Node returns more than its types say.
      result.add(zlib.zstdDecompressSync(result.rest, result.options(hint)) as unknown as Frame)
    } catch (error) {
      throw zlibError(error, 'zstd', limit)
    }
  }
  return result.bytes()
}

async function allFrames(bytes: Buffer, hint: number, limit: number): Promise<Buffer> {
  const result = new Result(bytes, limit)
  while (!result.complete) {
    const frame = (done: (error: Error | null, frame: Frame) => void) =>
      zlib.zstdDecompress(result.rest, result.options(hint), done as unknown as zlib.CompressCallback)
    try {
      result.add(await job(frame))
    } catch (error) {
      throw zlibError(error, 'zstd', limit)
    }
  }
  return result.bytes()
}

/** What has been decompressed so far, and how far that went. */
class Result {
  readonly #input: Buffer
  readonly #limit: number
  readonly #output: Buffer[] = []
  #at = 0
  #total = 0
  #frames = 0

  constructor(input: Buffer, limit: number) {
    this.#input = input
    this.#limit = limit
  }

  get complete(): boolean {
    return this.#at >= this.#input.length
  }

  get rest(): Buffer {
    return this.#at === 0 ? this.#input : this.#input.subarray(this.#at)
  }

  options(hint: number) {
    const left = this.#limit - this.#total
    return {
      info: true,
      maxOutputLength: Math.max(1, left),
      chunkSize: chunkSize(hint, this.#input.length - this.#at, left),
      params: { [zlib.constants.ZSTD_d_windowLogMax]: MAX_WINDOW_LOG },
    }
  }

  add(frame: Frame): void {
    if (frame.engine.bytesWritten === 0) throw DecompressionError.malformed('zstd', 'a frame makes no progress')
    if (++this.#frames > MAX_FRAMES) throw DecompressionError.malformed('zstd', `it has more than ${MAX_FRAMES} frames`)
    this.#at += frame.engine.bytesWritten
    this.#total += frame.buffer.length
    if (this.#total > this.#limit) throw DecompressionError.tooLarge(this.#limit)
    if (frame.buffer.length > 0) this.#output.push(frame.buffer)
  }

  bytes(): Buffer {
    return this.#output.length === 1 ? this.#output[0]! : Buffer.concat(this.#output)
  }
}

/** The content size in the first frame's header (RFC 8878 §3.1.1.1), when it is there and exact in a double. */
function contentSize(bytes: Buffer): number | undefined {
  if (bytes.length < 18 || bytes.readUInt32LE(0) !== MAGIC) return undefined
  const descriptor = bytes[4]!
  const single = (descriptor & 0x20) !== 0
  const at = 5 + (single ? 0 : 1) + [0, 1, 2, 4][descriptor & 3]!
  switch (descriptor >> 6) {
    case 0:
      return single ? bytes[at] : undefined
    case 1:
      return bytes.readUInt16LE(at) + 256
    case 2:
      return bytes.readUInt32LE(at)
    default: {
      const size = at + 8 <= bytes.length ? bytes.readBigUInt64LE(at) : 1n << 63n
      return size < 1n << 53n ? Number(size) : undefined
    }
  }
}
