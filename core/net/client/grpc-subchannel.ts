import type { Clock, Logger, Timer } from '#core/component'
import type { ClientTls } from '../tls.ts'
import { type Address, describe, dial, printAddress } from './dial.ts'
import { type Goaway, GrpcConnection, type Keepalive } from './grpc-connection.ts'
import { ReconnectBackoff } from './reconnect-backoff.ts'

/** As in gRPC. Source: https://github.com/grpc/grpc/blob/master/doc/connection-backoff.md */
const CONNECT_TIMEOUT = 20_000
/** A connection that is lost sooner than this, twice in a row, counts as a failed attempt to connect. */
const SHORT_LIFE = 1000

/** Idle: nothing wanted yet. Waiting: the last attempt failed, the next one is due later. */
export type SubchannelState = 'idle' | 'connecting' | 'ready' | 'waiting' | 'closed'

export interface SubchannelOptions {
  readonly clock: Clock
  readonly logger: Logger
  readonly tls: ClientTls
  /** Speak TLS even when `tls` says plaintext. */
  readonly scheme: 'http' | 'https'
  /** Name to verify in the certificate. */
  readonly host: string
  readonly proxy?: URL
  keepalive?: Keepalive
  /** After each change of state. */
  readonly changed: () => void
}

/** One address of a server: at most one connection for new calls, made again whenever it is lost. */
export class GrpcSubchannel {
  readonly address: Address
  readonly #options: SubchannelOptions
  readonly #backoff = new ReconnectBackoff()
  readonly #stop = new AbortController()
  /** Connections whose calls have not all ended, the present one among them. */
  readonly #open = new Set<GrpcConnection>()
  #state: SubchannelState = 'idle'
  #connection: GrpcConnection | undefined
  #timer: Timer | undefined
  #readyAt = 0
  #shortLives = 0
  /** Why the last attempt failed. */
  failure = ''

  constructor(address: Address, options: SubchannelOptions) {
    this.address = address
    this.#options = options
  }

  get state(): SubchannelState {
    return this.#state
  }

  /** The connection to make calls on, while ready. */
  get connection(): GrpcConnection | undefined {
    return this.#state === 'ready' && this.#connection?.usable ? this.#connection : undefined
  }

  /** Begins to connect, unless that is under way or too early. */
  connect(): void {
    if (this.#state !== 'idle') return
    this.#become('connecting')
    void this.#attempt()
  }

  /** Lets calls under way finish. */
  async close(): Promise<void> {
    this.#become('closed')
    this.#stop.abort(new Error('closed'))
    this.#timer?.cancel()
    await Promise.all([...this.#open].map(connection => connection.close()))
  }

  /** Breaks calls under way off. */
  destroy(): void {
    void this.close()
    for (const connection of this.#open) connection.destroy()
  }

  async #attempt(): Promise<void> {
    const { clock, tls, scheme, host, keepalive, proxy } = this.#options
    const started = clock.monotonic()
    try {
      const secured = scheme === 'https' ? { tls: { ...tls.connectOptions(host), ALPNProtocols: ['h2'] } } : {}
      const socket = await dial(this.address, {
        clock,
        timeout: CONNECT_TIMEOUT,
        signal: this.#stop.signal,
        ...secured,
        ...(proxy === undefined ? {} : { proxy }),
      })
      if (scheme === 'https' && (socket as { alpnProtocol?: unknown }).alpnProtocol !== 'h2') {
        socket.destroy()
        throw new Error(`Could not connect to ${printAddress(this.address)}: the server did not agree on HTTP/2 (ALPN)`)
      }
      await this.#begin(socket, keepalive, started)
    } catch (error) {
      this.#wait(describe(error))
    }
  }

  #wait(failure: string): void {
    if (this.#state === 'closed') return
    const { clock, logger } = this.#options
    this.failure = failure
    const wait = this.#backoff.next()
    logger.debug('Could not connect', { address: printAddress(this.address), error: failure, retry_in_ms: wait })
    this.#timer = clock.after(wait, () => {
      this.#become('idle')
      this.connect()
    })
    this.#become('waiting')
  }

  async #begin(socket: Parameters<typeof GrpcConnection.open>[0], keepalive: Keepalive | undefined, started: number) {
    const { clock, scheme } = this.#options
    let connection: GrpcConnection | undefined
    let lost = false
    const onUnusable = (goaway: Goaway | undefined) => {
      if (goaway?.text === 'too_many_pings') this.#pingLess()
      lost = true
      if (connection !== undefined) this.#lose(connection)
    }
    const timeout = Math.max(1, CONNECT_TIMEOUT - (clock.monotonic() - started))
    try {
      connection = await GrpcConnection.open(socket, scheme, {
        clock,
        timeout,
        signal: this.#stop.signal,
        onUnusable,
        ...(keepalive === undefined ? {} : { keepalive }),
      })
    } catch (error) {
      throw new Error(`Could not connect to ${printAddress(this.address)}: ${describe(error)}`, { cause: error })
    }
    if (this.#state === 'closed') return connection.destroy()
    this.failure = ''
    this.#readyAt = clock.monotonic()
    this.#connection = connection
    this.#open.add(connection)
    this.#become('ready')
    if (lost) this.#lose(connection)
  }

  /** The peer goes away or is gone: the next call, or the balancer, brings a new connection. */
  #lose(connection: GrpcConnection): void {
    void connection.close().then(() => this.#open.delete(connection))
    if (this.#connection !== connection) return
    this.#connection = undefined
    if (this.#state === 'closed') return
    if (this.#options.clock.monotonic() - this.#readyAt >= SHORT_LIFE) {
      this.#backoff.reset()
      this.#shortLives = 0
    } else if (++this.#shortLives > 1) {
      this.#wait(`Connection to ${printAddress(this.address)} was closed by the server as soon as it was made`)
      return
    }
    this.#become('idle')
    this.connect()
  }

  /** A peer that is pinged too often says so once; then twice as long must do. */
  #pingLess(): void {
    const { keepalive } = this.#options
    if (keepalive !== undefined) this.#options.keepalive = { ...keepalive, time: keepalive.time * 2 }
  }

  #become(state: SubchannelState): void {
    if (this.#state === state || this.#state === 'closed') return
    this.#state = state
    this.#options.changed()
  }
}
