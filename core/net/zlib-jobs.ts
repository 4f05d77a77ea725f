/**
 * What gzip, zlib and zstd share: the choice between this thread and zlib's, and how errors are told.
 * @module
 */
import { DecompressionError } from './decompression-error.ts'

/** Expected results up to this size are decompressed on the calling thread. */
export const SYNC_OUTPUT = 64 << 10

/** A result may exceed its hint by so much before the calling thread hands over to zlib's. */
export const SYNC_PATIENCE = 4 * SYNC_OUTPUT

/** Jobs at once on the thread pool, which name resolution and files share: twice its four threads. */
const MAX_JOBS = 8

let running = 0
const waiting: (() => void)[] = []

/** Runs `start`, whose callback tells the result, as soon as fewer than eight others run. */
export async function job<T>(start: (done: (error: Error | null, result: T) => void) => void): Promise<T> {
  if (running >= MAX_JOBS) await new Promise<void>(resolve => waiting.push(resolve))
  else running++
  try {
    return await new Promise<T>((resolve, reject) => {
      start((error, result) => (error === null ? resolve(result) : reject(error)))
    })
  } finally {
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
}

/** Size of zlib's output chunks: the expected result and a little, because an exactly full chunk costs another round. */
export function chunkSize(hint: number, compressed: number, limit: number): number {
  return Math.max(1024, Math.min(hint + 64, limit + 1, 64 * compressed))
}

/** Whether zlib stopped because the result became larger than `maxOutputLength`. */
export function isTooLarge(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
}

/** The error to tell for what zlib threw. */
export function zlibError(error: unknown, encoding: string, limit: number): DecompressionError {
  if (error instanceof DecompressionError) return error
  if (isTooLarge(error)) return DecompressionError.tooLarge(limit)
  return DecompressionError.malformed(encoding, error instanceof Error ? error.message : String(error), error)
}
