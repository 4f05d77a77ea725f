import { type Code, PartialError, PermanentError, RetryableError } from '#core/component'
import type { Signal } from '#core/data'
import {
  codeOfHttp,
  decodeStatus,
  decodeStatusJson,
  type HttpReply,
  isRetryableHttp,
  type PartialSuccess,
  parseRetryAfter,
  partialSuccess,
  partialSuccessJson,
  type WireStatus,
} from '#core/net'

/**
 * What a server's answer means. Any 2xx is success; the answer may then hold a warning.
 * @param url as told in errors; without user and password
 * @param now milliseconds since the epoch, to read dates in `Retry-After`
 * @throws {RetryableError} for 429, 502, 503, 504, with the wait asked for by 429 and 503
 * @throws {PartialError} for a partial success that rejects items
 * @throws {PermanentError} for anything else
 */
export function judge(signal: Signal, url: string, reply: HttpReply, now: number): string | undefined {
  if (reply.status >= 200 && reply.status <= 299) return success(signal, reply)
  const message = `error exporting items, request to ${url} responded with HTTP Status Code ${reply.status}${said(reply)}`
  const code: Code = codeOfHttp(reply.status)
  if (!isRetryableHttp(reply.status)) throw new PermanentError(message, { code })
  const header = reply.status === 429 || reply.status === 503 ? reply.headers['retry-after'] : undefined
  const after = parseRetryAfter([header].flat()[0], now)
  throw new RetryableError(message, after === undefined ? { code } : { code, after })
}

function success(signal: Signal, reply: HttpReply): string | undefined {
  const partial = partialSuccessIn(signal, reply)
  if (partial === undefined) return undefined
  if (partial.rejected > 0) throw new PartialError(partial.rejected, partial.message)
  return partial.message
}

function partialSuccessIn(signal: Signal, reply: HttpReply): PartialSuccess | undefined {
  if (reply.body.length === 0) return undefined
  switch (contentType(reply)) {
    case 'application/x-protobuf':
      return partialSuccess(reply.body)
    case 'application/json':
      return partialSuccessJson(signal, reply.body.toString())
    default:
      return undefined
  }
}

/** The Status in the body of a refusal, for the end of the sentence. */
function said(reply: HttpReply): string {
  const status = statusIn(reply)
  return status === undefined || status.message === '' ? '' : `, Message=${status.message}, Details=[]`
}

function statusIn(reply: HttpReply): WireStatus | undefined {
  if (reply.body.length === 0) return undefined
  return contentType(reply) === 'application/json' ? decodeStatusJson(reply.body.toString()) : decodeStatus(reply.body)
}

function contentType(reply: HttpReply): string {
  return String(reply.headers['content-type'] ?? '')
    .replace(/;.*/s, '')
    .trim()
    .toLowerCase()
}
