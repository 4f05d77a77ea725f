import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'

/** One HTTP request and the way to answer it, whichever version of HTTP carries it. */
export interface Exchange {
  readonly method: string
  /** Path and query as sent. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  /** Names and values in turn. */
  readonly raw: readonly string[]
  readonly body: Readable
  /** See `BodyOptions`. */
  readonly endIsFinal: boolean
  /** `ip:port`. */
  readonly peer: string | undefined
  /** Called once when the peer goes away before the answer is complete. */
  onGone(gone: () => void): void
  /** Tells a peer that waits for it to send its body. */
  proceed(): void
  /** Sends the whole answer, once; nothing happens when nobody is there any more. `headers`: names and values in turn. */
  answer(status: number, headers: string[], body: Buffer): void
}

/** The value of `content-length`; `undefined` when it is absent or no number. */
export function contentLength(headers: IncomingHttpHeaders): number | undefined {
  const text = headers['content-length']
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
