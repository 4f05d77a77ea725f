import type { ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2'
import { constants } from 'node:http2'
import { Code } from '#core/component'
import { decompress } from '../compression.ts'
import { GrpcMessage } from '../server/grpc-message.ts'
import { grpcCodeOfHttp, statusOf, type WireStatus } from '../status.ts'
import { decodeGrpcMessage, decodeStatus } from '../status-codec.ts'

/** How a call ended. */
export interface GrpcOutcome {
  readonly status: WireStatus
  /** The answer when the status is OK. */
  readonly message: Buffer
  /** The server has certainly not looked at it, so that repeating it at once is safe and no second try. */
  readonly untouched: boolean
  /** The HTTP/2 error code of a reset, to be explained by what the connection knows. */
  readonly reset?: number
}

/** One call on one stream, from the first byte to its outcome. */
export class GrpcExchange {
  readonly outcome: Promise<GrpcOutcome>
  readonly #stream: ClientHttp2Stream
  readonly #limit: number
  readonly #answer = new GrpcMessage()
  #headers: IncomingHttpHeaders | undefined
  #settle: (outcome: GrpcOutcome) => void = () => {}
  #settled = false
  #error: Error | undefined

  /** `limit`: bytes an answer may have, before and after decompression. */
  constructor(stream: ClientHttp2Stream, body: readonly Buffer[], limit: number) {
    this.#stream = stream
    this.#limit = limit
    this.outcome = new Promise(resolve => {
      this.#settle = resolve
    })
    stream.on('error', error => {
      this.#error = error
    })
    stream.on('response', (headers, flags) => {
      this.#headers = headers
      if ((flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0) this.#end(headers)
      else if (Number(headers[':status']) !== 200) this.cancel(httpOnly(headers))
    })
    stream.on('data', (chunk: Buffer) => this.#receive(chunk))
    stream.on('trailers', trailers => this.#end(trailers))
    stream.on('close', () => this.#closed())
    const last = body.length - 1
    stream.cork()
    for (let i = 0; i < last; i++) stream.write(body[i]!)
    stream.end(body[last]!)
    stream.uncork()
  }

  /** Ends the call from our side, with the status to tell. */
  cancel(status: WireStatus): void {
    this.#finish(failed(status))
    this.#reset()
  }

  #reset(): void {
    if (!this.#stream.closed && !this.#stream.destroyed) this.#stream.close(constants.NGHTTP2_CANCEL)
  }

  #receive(chunk: Buffer): void {
    if (this.#settled) return
    this.#answer.push(chunk)
    const length = this.#answer.length ?? 0
    if (length > this.#limit) {
      const message = `Received message larger than max (${length} vs. ${this.#limit})`
      this.cancel({ code: Code.RESOURCE_EXHAUSTED, message })
    } else if (this.#answer.length !== undefined && this.#answer.excess > 0) {
      this.cancel({ code: Code.INTERNAL, message: 'Server sent more than one message in answer to a unary call' })
    }
  }

  /** With the headers or trailers that carry the status. */
  #end(headers: IncomingHttpHeaders): void {
    if (this.#settled) return
    const status = statusIn(headers) ?? missingStatus(this.#headers ?? headers)
    if (status.code !== Code.OK) this.#stop(failed(status))
    else if (this.#answer.length === undefined || this.#answer.excess !== 0) {
      const message = this.#answer.started ? 'Server sent an incomplete message' : 'Server sent OK without a message'
      this.#stop(failed({ code: Code.INTERNAL, message }))
    } else if (this.#answer.compressed) void this.#expand(this.#answer.take()).then(outcome => this.#stop(outcome))
    else this.#stop({ status, message: this.#answer.take(), untouched: false })
  }

  async #expand(bytes: Buffer): Promise<GrpcOutcome> {
    const encoding = String(this.#headers?.['grpc-encoding'] ?? '')
    try {
      if (encoding === '') throw new Error('Server sent a compressed message without grpc-encoding')
      return { status: OK, message: await decompress(bytes, encoding, this.#limit), untouched: false }
    } catch (error) {
      return failed({ code: Code.INTERNAL, message: statusOf(error).message })
    }
  }

  /** A server may answer while we still upload: what is left need not be sent. */
  #stop(outcome: GrpcOutcome): void {
    this.#finish(outcome)
    if (!this.#stream.writableFinished) this.#reset()
  }

  #closed(): void {
    if (this.#settled) return
    // An error of the connection is told after the streams have ended: wait, so that the cause can be named.
    setImmediate(() => {
      const reset = this.#stream.rstCode ?? constants.NGHTTP2_NO_ERROR
      const untouched = reset === constants.NGHTTP2_REFUSED_STREAM || this.#stream.id === undefined
      if (this.#headers !== undefined && reset === constants.NGHTTP2_NO_ERROR && this.#error === undefined) {
        this.#finish(failed(missingStatus(this.#headers)))
        return
      }
      const message = this.#error?.message ?? `Stream ended without a status (HTTP/2 error code ${reset})`
      this.#finish({ status: { code: codeOfReset(reset), message }, message: EMPTY, untouched, reset })
    })
  }

  #finish(outcome: GrpcOutcome): void {
    if (this.#settled) return
    this.#settled = true
    this.#settle(outcome)
  }
}

const EMPTY = Buffer.alloc(0)
const OK: WireStatus = { code: Code.OK, message: '' }

/** The outcome of a call that did not succeed, although the server may have seen it. */
function failed(status: WireStatus): GrpcOutcome {
  return { status, message: EMPTY, untouched: false }
}

/** The status that headers or trailers carry. */
function statusIn(headers: IncomingHttpHeaders): WireStatus | undefined {
  const text = headers['grpc-status']
  if (text === undefined) return undefined
  const code = /^\d+$/.test(String(text)) && Number(text) <= 16 ? (Number(text) as Code) : Code.UNKNOWN
  const message = decodeGrpcMessage(String(headers['grpc-message'] ?? ''))
  const details = headers['grpc-status-details-bin']
  const retryAfter =
    details === undefined ? undefined : decodeStatus(Buffer.from(String(details), 'base64'))?.retryAfter
  return retryAfter === undefined ? { code, message } : { code, message, retryAfter }
}

function missingStatus(headers: IncomingHttpHeaders): WireStatus {
  if (Number(headers[':status']) !== 200) return httpOnly(headers)
  return { code: Code.UNKNOWN, message: 'Server ended the call without grpc-status' }
}

/** An answer that speaks HTTP only. */
function httpOnly(headers: IncomingHttpHeaders): WireStatus {
  const type = headers['content-type']
  const message = `Unexpected HTTP status ${headers[':status']}${type === undefined ? '' : ` with content type "${type}"`}`
  return { code: grpcCodeOfHttp(Number(headers[':status'])), message }
}

/** Source: https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md#errors */
function codeOfReset(reset: number): Code {
  switch (reset) {
    case constants.NGHTTP2_NO_ERROR:
    case constants.NGHTTP2_REFUSED_STREAM:
      return Code.UNAVAILABLE
    case constants.NGHTTP2_CANCEL:
      return Code.CANCELLED
    case constants.NGHTTP2_ENHANCE_YOUR_CALM:
      return Code.RESOURCE_EXHAUSTED
    case constants.NGHTTP2_INADEQUATE_SECURITY:
      return Code.PERMISSION_DENIED
    default:
      return Code.INTERNAL
  }
}
