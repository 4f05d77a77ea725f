import type { Readable } from 'node:stream'
import { Code, PermanentError, RetryableError } from '#core/component'
import { decompress } from '../compression.ts'
import { DecompressionError } from '../decompression-error.ts'
import type { Reservation } from './admission.ts'
import type { Deadlines } from './deadlines.ts'

/** The sender went away before its request was complete: there is nobody to answer. */
export class SenderGone extends Error {
  override name = 'SenderGone'
}

export interface BodyOptions {
  /** What `content-length` said. */
  readonly length: number | undefined
  /**
   * Whether the end of the stream is always the end of the body. HTTP/2 clients may end a stream and reset it at once;
   * then the length tells, or without one what follows.
   */
  readonly endIsFinal: boolean
  /** Bytes, before and after decompression. */
  readonly limit: number
  /** `content-encoding`; empty for none. */
  readonly encoding: string
  readonly reservation: Reservation
  readonly deadlines: Deadlines
  /** Milliseconds that the body may take to arrive. */
  readonly timeout: number
}

/**
 * Reads and decompresses a whole request body.
 * @throws {PermanentError} INVALID_ARGUMENT when it is too large or not what its encoding says
 * @throws {Refusal} of the admission
 * @throws {RetryableError} DEADLINE_EXCEEDED when it takes too long
 * @throws {SenderGone} when the sender left before the end
 */
export async function readBody(source: Readable, options: BodyOptions): Promise<Buffer> {
  const { limit, encoding, reservation } = options
  const bytes = await collect(source, options)
  reservation.arrived()
  if (encoding === '') return bytes
  let body: Buffer
  try {
    body = await decompress(bytes, encoding, limit)
  } catch (error) {
    if (!(error instanceof DecompressionError)) throw error
    if (error.kind === 'too_large') throw tooLarge(limit)
    throw new PermanentError(error.message, { code: Code.INVALID_ARGUMENT, cause: error })
  }
  const refusal = body === bytes ? undefined : reservation.take(body.length)
  if (refusal !== undefined) throw refusal
  reservation.arrived()
  return body
}

/** Room is asked for in steps of this many bytes when the length is not known beforehand. */
const STEP = 64 << 10

function collect(source: Readable, options: BodyOptions): Promise<Buffer> {
  const { length, endIsFinal, limit, reservation, deadlines, timeout } = options
  return new Promise((resolve, reject) => {
    if (length !== undefined && length > limit) return reject(tooLarge(limit))
    let granted = length ?? 0
    const refusal = granted === 0 ? undefined : reservation.take(granted)
    if (refusal !== undefined) return reject(refusal)
    if (source.destroyed && !source.readableEnded) return reject(new SenderGone())

    const chunks: Buffer[] = []
    let received = 0
    const settle = (error?: Error) => {
      deadlines.delete(deadline)
      source.off('data', data).off('end', end).off('close', gone).off('aborted', gone)
      if (error !== undefined) return reject(error)
      resolve(join(chunks, received))
    }
    const data = (chunk: Buffer) => {
      received += chunk.length
      if (received > limit) return settle(tooLarge(limit))
      if (received > granted) {
        const refusal = reservation.take(received - granted + STEP)
        if (refusal !== undefined) return settle(refusal)
        granted = received + STEP
      }
      chunks.push(chunk)
    }
    const end = () => {
      if (length !== undefined && received !== length) gone()
      else if (length !== undefined || endIsFinal) settle()
      // What a reset brings with it comes within two turns.
      else setImmediate(() => setImmediate(settle))
    }
    const gone = () => settle(new SenderGone())
    const deadline = deadlines.after(timeout, () => settle(tooSlow(timeout)))
    source.on('data', data).on('end', end).on('close', gone).on('aborted', gone)
  })
}

/**
 * One buffer of exactly `length` bytes. A single chunk is taken as it is, unless it is a small view that would keep a
 * large read alive for as long as the telemetry waits somewhere.
 */
export function join(chunks: readonly Buffer[], length: number): Buffer {
  if (chunks.length === 1 && chunks[0]!.buffer.byteLength <= 2 * length) return chunks[0]!
  const joined = Buffer.allocUnsafeSlow(length)
  let at = 0
  for (const chunk of chunks) at += chunk.copy(joined, at)
  return joined
}

function tooLarge(limit: number): PermanentError {
  return new PermanentError(`http: request body too large, the limit is ${limit} bytes`, {
    code: Code.INVALID_ARGUMENT,
  })
}

function tooSlow(ms: number): RetryableError {
  return new RetryableError(`request body did not arrive within ${ms / 1000}s`, { code: Code.DEADLINE_EXCEEDED })
}
