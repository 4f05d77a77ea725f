import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import { type AuthData, Code, type ConsumeContext, Refusal } from '#core/component'
import { decompress } from '../compression.ts'
import { DecompressionError } from '../decompression-error.ts'
import { statusOf, type WireStatus } from '../status.ts'
import { encodeGrpcMessage, encodeStatusDetails } from '../status-codec.ts'
import { Reservation } from './admission.ts'
import { SenderGone } from './body.ts'
import type { Deadline } from './deadlines.ts'
import { GrpcMessage, PREFIX } from './grpc-message.ts'
import { parseGrpcTimeout } from './grpc-timeout.ts'
import { metadataOf, NO_METADATA } from './metadata.ts'
import type { Port } from './port.ts'
import type { GrpcService, UnaryHandler } from './service.ts'
import { traceHeadersOf } from './trace-headers.ts'

/** Encodings of request messages that are understood, as advertised. */
const ENCODINGS = ['gzip', 'snappy', 'zstd', 'deflate']
const ACCEPTED = ['identity', ...ENCODINGS].join(',')

/** A message that has not arrived by then never will: milliseconds. */
const READ_TIMEOUT = 60_000
/** Characters of an error that fit every peer's limit on headers. */
const MAX_TEXT = 2048
/** Milliseconds for the peer to take an answer of a few bytes. */
const WRITE_TIMEOUT = 30_000

/**
 * One unary call on one HTTP/2 stream.
 * Source: https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
 */
export class GrpcCall {
  readonly #stream: ServerHttp2Stream
  readonly #headers: IncomingHttpHeaders
  readonly #raw: readonly string[]
  readonly #peer: string | undefined
  readonly #port: Port
  readonly #service: GrpcService
  readonly #message = new GrpcMessage()
  readonly #reservation: Reservation
  readonly #abort = new AbortController()
  #auth: AuthData | undefined
  #metadata = NO_METADATA
  #deadline: Deadline | undefined
  #answered = false
  #handed = false

  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    raw: readonly string[],
    peer: string | undefined,
    port: Port,
    service: GrpcService,
  ) {
    this.#stream = stream
    this.#headers = headers
    this.#raw = raw
    this.#peer = peer
    this.#port = port
    this.#service = service
    this.#reservation = new Reservation(port.admissions)
  }

  /** Serves the call. Everything it has to say goes to the stream. */
  run(): void {
    this.#stream.on('close', this.#closed)
    const path = this.#headers[':path']!
    const handler = this.#service.methods.get(path)
    const timeout = parseGrpcTimeout(this.#headers['grpc-timeout'])
    if (this.#headers[':method'] !== 'POST') this.#answerHttp('405')
    else if (handler === undefined) this.#refuse(unknownMethod(path, this.#service))
    else if (timeout === undefined) this.#refuse(BAD_TIMEOUT)
    else this.#admit(handler, timeout)
  }

  #admit(handler: UnaryHandler, timeout: number): void {
    this.#deadline = this.#port.deadlines.after(Math.min(timeout, READ_TIMEOUT), this.#expired)
    if (this.#service.settings.includeMetadata) this.#metadata = metadataOf(this.#raw)
    if (this.#port.authenticator === undefined) {
      this.#read(handler, timeout)
      return
    }
    this.#authenticate().then(
      () => this.#read(handler, timeout),
      (error: unknown) => {
        const code = (error instanceof Refusal ? error.code : undefined) ?? Code.UNAUTHENTICATED
        this.#refuse({ ...statusOf(error), code })
      },
    )
  }

  async #authenticate(): Promise<void> {
    const request = this.#peer === undefined ? {} : { clientAddress: this.#peer }
    this.#auth = await this.#port.authenticator!.authenticate(metadataOf(this.#raw), request)
  }

  #read(handler: UnaryHandler, timeout: number): void {
    const stream = this.#stream
    if (this.#answered || stream.destroyed) return
    const encoding = this.#headers['grpc-encoding'] as string | undefined
    if (encoding !== undefined && encoding !== 'identity' && !ENCODINGS.includes(encoding)) {
      const message = `grpc: Decompressor is not installed for grpc-encoding "${encoding}"`
      this.#refuse({ code: Code.UNIMPLEMENTED, message }, ['grpc-accept-encoding', ACCEPTED])
      return
    }
    // A full memory is told before a byte is read.
    if (!this.#reserve(0)) return
    const message = this.#message
    let known = false
    stream.on('data', (chunk: Buffer) => {
      if (this.#answered) return
      message.push(chunk)
      if (!known && message.length !== undefined) {
        known = true
        const { maxMessage } = this.#service.settings
        if (message.length > maxMessage) this.#refuse(tooLarge(message.length, maxMessage))
        else this.#reserve(message.length)
      }
      if (known && message.excess > 0) this.#refuse(MORE_THAN_ONE)
    })
    stream.on('end', () => {
      if (this.#answered || stream.closed || stream.aborted) return
      // A reset stream ends like a finished one; only the length tells whether the message is whole.
      if (known && message.excess === 0) void this.#hand(handler, encoding, timeout)
      else setImmediate(() => this.#refuse(message.started ? CUT_SHORT : NO_MESSAGE))
    })
  }

  #reserve(bytes: number): boolean {
    const refusal = this.#reservation.take(bytes)
    if (refusal !== undefined) this.#refuse(statusOf(refusal))
    return refusal === undefined
  }

  async #hand(handler: UnaryHandler, encoding: string | undefined, timeout: number): Promise<void> {
    const { deadlines, work } = this.#port
    deadlines.delete(this.#deadline)
    if (timeout !== Number.POSITIVE_INFINITY) {
      const left = this.#deadline!.at + Math.max(0, timeout - READ_TIMEOUT) - this.#port.clock.monotonic()
      this.#deadline = deadlines.after(left, this.#expired)
    }
    this.#handed = true
    work.begin()
    try {
      let bytes = this.#message.take()
      this.#reservation.arrived()
      if (this.#message.compressed) bytes = await this.#decompress(bytes, encoding)
      const answer = await handler(bytes, this.#context())
      this.#answer(answer)
    } catch (error) {
      this.#refuse(error instanceof WireError ? error.status : statusOf(error))
    } finally {
      this.#reservation.release()
      work.end()
    }
  }

  async #decompress(bytes: Buffer, encoding = 'identity'): Promise<Buffer> {
    if (encoding === 'identity') throw new WireError(COMPRESSED_IDENTITY)
    const { maxMessage } = this.#service.settings
    try {
      const raw = await decompress(bytes, encoding, maxMessage)
      const refusal = this.#reservation.take(raw.length)
      if (refusal !== undefined) throw refusal
      this.#reservation.arrived()
      return raw
    } catch (error) {
      if (!(error instanceof DecompressionError)) throw error
      if (error.kind === 'too_large') {
        const message = `grpc: received message after decompression larger than max ${maxMessage}`
        throw new WireError({ code: Code.RESOURCE_EXHAUSTED, message })
      }
      const message = `grpc: failed to decompress the received message: ${error.message}`
      throw new WireError({ code: Code.INTERNAL, message })
    }
  }

  #context(): ConsumeContext {
    return {
      metadata: this.#metadata,
      signal: this.#abort.signal,
      ...traceHeadersOf(this.#headers),
      ...(this.#peer === undefined ? {} : { clientAddress: this.#peer }),
      ...(this.#auth === undefined ? {} : { auth: this.#auth }),
    }
  }

  #answer(message: Buffer): void {
    if (!this.#open()) return
    const stream = this.#stream
    stream.on('wantTrailers', sendOk)
    stream.respond(OK_HEADERS, WITH_TRAILERS)
    if (message.length === 0) {
      stream.end(EMPTY_MESSAGE)
      return
    }
    const framed = Buffer.allocUnsafe(PREFIX + message.length)
    framed[0] = 0
    framed.writeUInt32BE(message.length, 1)
    message.copy(framed, PREFIX)
    stream.end(framed)
  }

  /** Answers with trailers only, and takes no more of the request. */
  #refuse(status: WireStatus, more: readonly string[] = []): void {
    if (!this.#open()) return
    const details = status.retryAfter === undefined ? [] : ['grpc-status-details-bin', encodeStatusDetails(status)]
    this.#stream.respond(
      [
        ...[':status', '200', 'content-type', 'application/grpc', 'grpc-status', String(status.code)],
        ...['grpc-message', encodeGrpcMessage(status.message.slice(0, MAX_TEXT)), ...details, ...more],
      ],
      TRAILERS_ONLY,
    )
    this.#stop()
  }

  #answerHttp(status: string): void {
    if (!this.#open()) return
    this.#stream.respond([':status', status], TRAILERS_ONLY)
    this.#stop()
  }

  #stop(): void {
    if (!this.#handed) this.#reservation.release()
    if (!this.#stream.readableEnded) this.#stream.close(constants.NGHTTP2_NO_ERROR)
  }

  /** Whether there still is somebody to answer; claims the answer. */
  #open(): boolean {
    const { deadlines } = this.#port
    if (this.#answered) return false
    this.#answered = true
    deadlines.delete(this.#deadline)
    if (this.#stream.closed || this.#stream.destroyed) return false
    this.#deadline = deadlines.after(WRITE_TIMEOUT, () => this.#stream.close(constants.NGHTTP2_CANCEL))
    return true
  }

  readonly #expired = () => {
    const message = this.#handed ? 'context deadline exceeded' : 'request message did not arrive in time'
    this.#refuse({ code: Code.DEADLINE_EXCEEDED, message })
    this.#abort.abort(new Error(message))
  }

  readonly #closed = () => {
    this.#port.deadlines.delete(this.#deadline)
    if (this.#answered) return
    this.#answered = true
    if (!this.#handed) this.#reservation.release()
    this.#abort.abort(new SenderGone())
  }
}

/** A status that is decided here and shown as it is. */
class WireError extends Error {
  readonly status: WireStatus
  constructor(status: WireStatus) {
    super(status.message)
    this.status = status
  }
}

// Frozen: Node adds a date to a header array that it is given, unless told otherwise.
const OK_HEADERS = Object.freeze([':status', '200', 'content-type', 'application/grpc'])
const WITH_TRAILERS = { waitForTrailers: true, sendDate: false }
const TRAILERS_ONLY = { endStream: true, sendDate: false }
const OK_TRAILERS = { 'grpc-status': '0' }
const EMPTY_MESSAGE = Buffer.alloc(PREFIX)

function sendOk(this: ServerHttp2Stream): void {
  if (!this.destroyed && !this.closed) this.sendTrailers(OK_TRAILERS)
}

const BAD_TIMEOUT = { code: Code.INTERNAL, message: 'malformed grpc-timeout' }
const MORE_THAN_ONE = { code: Code.INTERNAL, message: 'more than one message in the request of a unary call' }
const NO_MESSAGE = { code: Code.INTERNAL, message: 'no message in the request of a unary call' }
const CUT_SHORT = { code: Code.INTERNAL, message: 'request ends within a message' }
const COMPRESSED_IDENTITY = {
  code: Code.INTERNAL,
  message: 'grpc: compressed flag set with identity or empty encoding',
}

function tooLarge(length: number, maximum: number): WireStatus {
  return { code: Code.RESOURCE_EXHAUSTED, message: `grpc: received message larger than max (${length} vs. ${maximum})` }
}

/** As grpc-go words it, so that what people search for is found. */
function unknownMethod(path: string, service: GrpcService): WireStatus {
  return { code: Code.UNIMPLEMENTED, message: describeUnknown(path, service) }
}

function describeUnknown(path: string, service: GrpcService): string {
  const slash = path.lastIndexOf('/')
  if (slash <= 0) return `malformed method name: "${path}"`
  const name = path.slice(1, slash)
  for (const known of service.methods.keys()) {
    if (known.startsWith(path.slice(0, slash + 1))) return `unknown method ${path.slice(slash + 1)} for service ${name}`
  }
  return `unknown service ${name}`
}
