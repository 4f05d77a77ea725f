import * as http2 from 'node:http2'
import type { Socket } from 'node:net'
import { type Clock, Code, type Timer } from '#core/component'
import { describe } from './dial.ts'
import { GrpcExchange, type GrpcOutcome } from './grpc-exchange.ts'

/** Bytes of requests under way on one connection; further calls wait, so that a slow peer cannot fill our memory. */
const MAX_BYTES_UNDER_WAY = 64 << 20
/** Megabytes; the default of 10 makes our own requests fail against peers with small windows. The bound above counts. */
const MAX_SESSION_MEMORY = 1000
/** Answers to exports are a few bytes; this is grpc-go's default. */
const MAX_ANSWER = 4 << 20
/** Streams we begin before the peer has said how many it takes. */
const STREAMS_BEFORE_SETTINGS = 100

/** Pings that find dead connections; milliseconds. */
export interface Keepalive {
  readonly time: number
  readonly timeout: number
  readonly permitWithoutCalls: boolean
}

export interface GrpcConnectionOptions {
  readonly clock: Clock
  /** Milliseconds until the peer has introduced itself. */
  readonly timeout: number
  readonly keepalive?: Keepalive
  /** Ends the wait for the peer. */
  readonly signal: AbortSignal
  /** Once, when no new calls may begin: the peer goes away or the connection is lost. */
  readonly onUnusable: (goaway: Goaway | undefined) => void
}

/** A peer's farewell. */
export interface Goaway {
  readonly code: number
  /** What the peer says beside it, `too_many_pings` for instance. */
  readonly text: string
}

/** One HTTP/2 connection to one address, on which calls can be made. */
export class GrpcConnection {
  /** Resolves when the connection is no more. */
  readonly ended: Promise<void>
  readonly #session: http2.ClientHttp2Session
  readonly #options: GrpcConnectionOptions
  readonly #calls = new Set<GrpcExchange>()
  readonly #waiting = new Set<() => void>()
  #bytes = 0
  #usable = true
  #error: Error | undefined
  #lastStream = Number.POSITIVE_INFINITY
  #keepalive: Timer | undefined
  #pinging = false
  #closed = false
  #ended: () => void = () => {}

  private constructor(session: http2.ClientHttp2Session, socket: Socket, options: GrpcConnectionOptions) {
    this.#session = session
    this.#options = options
    session.on('goaway', (code, last, data) => {
      this.#lastStream = last
      const text = data === undefined ? '' : Buffer.from(data).toString()
      if (code !== http2.constants.NGHTTP2_NO_ERROR) {
        this.#error ??= new Error(`the server went away with HTTP/2 error code ${code}${text && ` (${text})`}`)
      }
      this.#unusable({ code, text })
    })
    session.on('error', error => {
      this.#error ??= error
    })
    session.on('close', () => this.#end())
    // A TLS socket that fails while something is being written is neither destroyed by Node nor is its session closed.
    socket.on('error', error => {
      this.#error ??= error
      setImmediate(() => socket.destroy())
    })
    socket.on('close', () => this.#end())
    this.ended = new Promise(resolve => {
      this.#ended = resolve
    })
  }

  /**
   * Begins HTTP/2 on an open socket and waits until the peer has sent its settings: before that it may refuse calls.
   * @throws {Error} with the reason why the peer cannot be spoken to
   */
  static async open(socket: Socket, scheme: 'http' | 'https', options: GrpcConnectionOptions): Promise<GrpcConnection> {
    const session = http2.connect(`${scheme}://localhost`, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: 65_535 },
      maxSessionMemory: MAX_SESSION_MEMORY,
      peerMaxConcurrentStreams: STREAMS_BEFORE_SETTINGS,
    })
    const connection = new GrpcConnection(session, socket, options)
    await new Promise<void>((resolve, reject) => {
      const silence = () => connection.#fail(`no HTTP/2 settings within ${Math.round(options.timeout)} ms`)
      const timer = options.timeout > 0 ? options.clock.after(options.timeout, silence) : undefined
      const abort = () => connection.#fail('closed')
      const settled = () => {
        timer?.cancel()
        options.signal.removeEventListener('abort', abort)
      }
      if (options.signal.aborted) abort()
      options.signal.addEventListener('abort', abort, { once: true })
      session.once('remoteSettings', () => {
        settled()
        resolve()
      })
      void connection.ended.then(() => {
        settled()
        reject(new Error(connection.#describe('closed before it sent HTTP/2 settings')))
      })
    })
    connection.#ping()
    return connection
  }

  /** Whether new calls may begin. */
  get usable(): boolean {
    return this.#usable && !this.#session.closed && !this.#session.destroyed
  }

  /**
   * Waits for room, then makes a call.
   * @param begun is told how the call can be cancelled, and tells whether it is still wanted
   * @param signal ends the wait for room
   */
  async call(
    headers: readonly string[],
    body: readonly Buffer[],
    begun: (exchange: GrpcExchange) => boolean,
    signal: () => AbortSignal,
  ): Promise<GrpcOutcome> {
    let bytes = 0
    for (const piece of body) bytes += piece.length
    while (this.usable && this.#bytes > 0 && this.#bytes + bytes > MAX_BYTES_UNDER_WAY) {
      await this.#room(signal())
      if (signal().aborted) return this.#lost()
    }
    if (!this.usable) return this.#lost()
    let stream: http2.ClientHttp2Stream
    try {
      stream = this.#session.request(headers, { endStream: false })
    } catch (error) {
      if (!this.usable) return this.#lost()
      return { status: { code: Code.INTERNAL, message: describe(error) }, message: EMPTY, untouched: false }
    }
    this.#bytes += bytes
    const exchange = new GrpcExchange(stream, body, MAX_ANSWER)
    this.#calls.add(exchange)
    if (!begun(exchange)) exchange.cancel({ code: Code.CANCELLED, message: 'Call was cancelled' })
    this.#ping()
    const outcome = await exchange.outcome
    this.#calls.delete(exchange)
    this.#bytes -= bytes
    if (this.#waiting.size > 0) this.#wake()
    return outcome.reset === undefined ? outcome : this.#explain(outcome, stream.id)
  }

  /** Lets calls under way finish, then closes. */
  close(): Promise<void> {
    this.#unusable(undefined)
    if (!this.#closed && !this.#session.closed) this.#session.close()
    return this.ended
  }

  /** Breaks everything off. */
  destroy(): void {
    this.#unusable(undefined)
    this.#session.destroy()
  }

  #room(signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const done = () => {
        this.#waiting.delete(done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      this.#waiting.add(done)
      if (signal.aborted) done()
      else signal.addEventListener('abort', done, { once: true })
    })
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake()
  }

  #end(): void {
    if (this.#closed) return
    this.#closed = true
    this.#keepalive?.cancel()
    this.#unusable(undefined)
    this.#ended()
    if (this.#calls.size === 0) return
    // Streams that end with the connection tell by themselves; none may be forgotten.
    setImmediate(() => {
      const status = { code: Code.UNAVAILABLE, message: this.#describe('lost') }
      setImmediate(() => {
        for (const exchange of this.#calls) exchange.cancel(status)
      })
    })
  }

  #fail(why: string): void {
    this.#error ??= new Error(why)
    this.#session.destroy(this.#error)
  }

  #lost(): GrpcOutcome {
    const status = { code: Code.UNAVAILABLE, message: this.#describe('closing') }
    return { status, message: EMPTY, untouched: true }
  }

  /** A reset stream on a lost connection is not the peer's verdict on the call. */
  #explain(outcome: GrpcOutcome, id: number | undefined): GrpcOutcome {
    const untouched = outcome.untouched || (id ?? 0) > this.#lastStream
    if (this.usable && !untouched) return outcome
    const message = this.usable ? outcome.status.message : this.#describe('lost')
    return { ...outcome, status: { code: Code.UNAVAILABLE, message }, untouched }
  }

  #describe(otherwise: string): string {
    if (this.#error === undefined) return `Connection ${otherwise}`
    const notHttp2 = /NGHTTP2_PROTOCOL_ERROR|Protocol error|frame size/i.test(this.#error.message)
    return `Connection failed: ${describe(this.#error)}${notHttp2 ? ' (does the port speak gRPC?)' : ''}`
  }

  #unusable(goaway: Goaway | undefined): void {
    if (!this.#usable) return
    this.#usable = false
    this.#wake()
    this.#options.onUnusable(goaway)
  }

  /** Arms the next ping; it is sent when the time comes and, unless permitted always, a call is under way. */
  #ping(): void {
    const { keepalive, clock } = this.#options
    if (keepalive === undefined || this.#pinging || this.#closed) return
    if (this.#calls.size === 0 && !keepalive.permitWithoutCalls) return
    this.#pinging = true
    this.#keepalive = clock.after(keepalive.time, () => {
      if (this.#calls.size === 0 && !keepalive.permitWithoutCalls) {
        this.#pinging = false
        return
      }
      const dead = () => this.#fail(`no answer to a ping within ${keepalive.timeout} ms`)
      this.#keepalive = clock.after(keepalive.timeout, dead)
      const sent = this.#session.destroyed
        ? false
        : this.#session.ping(() => {
            this.#keepalive?.cancel()
            this.#pinging = false
            this.#ping()
          })
      if (!sent) this.#keepalive.cancel()
    })
  }
}

const EMPTY = Buffer.alloc(0)
