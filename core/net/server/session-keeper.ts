import { constants, type Http2Stream, type ServerHttp2Session } from 'node:http2'
import type { Timer } from '#core/component'
import { formatAddress } from './listen-address.ts'
import type { Port } from './port.ts'
import type { KeepaliveSettings } from './settings.ts'

/** Pings that may come too early before the peer is disconnected. Source: gRPC A8 */
const STRIKES = 2
/** Milliseconds between the pings of a peer without calls, where it may not ping then. */
const WITHOUT_STREAM = 7_200_000

/**
 * How long one HTTP/2 connection lives: closes it when idle or old, finds out when the peer is dead, and disconnects a
 * peer that pings too often.
 * Source: https://github.com/grpc/proposal/blob/master/A8-client-side-keepalive.md and A9-server-side-conn-mgt.md
 */
export class SessionKeeper {
  /** `ip:port`. */
  readonly peer: string | undefined
  readonly #session: ServerHttp2Session
  readonly #settings: KeepaliveSettings
  readonly #port: Port
  readonly #timers = new Map<'idle' | 'age' | 'ping', Timer>()
  #streams = 0
  #lastPing: number | undefined
  #strikes = 0
  #bytesRead = 0

  constructor(session: ServerHttp2Session, settings: KeepaliveSettings, port: Port) {
    const { remoteAddress: host, remotePort } = session.socket
    this.peer =
      host === undefined || remotePort === undefined
        ? undefined
        : formatAddress(host.replace(/^::ffff:/, ''), remotePort)
    this.#session = session
    this.#settings = settings
    this.#port = port
    session.on('ping', this.#pinged)
    this.#idle()
    const age = settings.maxAge * (0.9 + Math.random() * 0.2)
    this.#set('age', age, () => this.#retire())
    this.#set('ping', settings.time, () => this.#probe())
  }

  /** A call or request has begun on the connection. */
  opened(stream: Http2Stream): void {
    this.#streams++
    this.#strikes = 0
    this.#lastPing = undefined
    this.#clear('idle')
    stream.once('close', () => {
      this.#streams--
      if (this.#streams === 0) this.#idle()
    })
  }

  close(): void {
    for (const timer of this.#timers.values()) timer.cancel()
    this.#timers.clear()
  }

  #idle(): void {
    if (!this.#session.closed) this.#set('idle', this.#settings.maxIdle, () => this.#session.close())
  }

  #retire(): void {
    this.#session.close()
    this.#set('age', this.#settings.maxAgeGrace, () => this.#session.destroy())
  }

  /** Pings the peer unless something was heard of it meanwhile. */
  #probe(): void {
    if (this.#session.destroyed) return
    const { bytesRead } = this.#session.socket
    const again = () => this.#set('ping', this.#settings.time, () => this.#probe())
    if (bytesRead !== this.#bytesRead) {
      this.#bytesRead = bytesRead
      again()
      return
    }
    this.#set('ping', this.#settings.timeout, () => this.#session.destroy())
    this.#session.ping(() => {
      if (this.#session.destroyed) return
      this.#bytesRead = this.#session.socket.bytesRead
      again()
    })
  }

  /** As grpc-go counts: every ping that comes too early is a strike; sending data forgives them. */
  readonly #pinged = () => {
    const now = this.#port.clock.monotonic()
    const last = this.#lastPing
    this.#lastPing = now
    const { minTime, permitWithoutStream } = this.#settings
    const least = this.#streams === 0 && !permitWithoutStream ? WITHOUT_STREAM : minTime
    if (last === undefined || now - last >= least) return
    this.#strikes++
    if (this.#strikes <= STRIKES) return
    this.#port.logger.debug('Client pings too often and is disconnected', { peer: this.peer, least: `${least}ms` })
    this.#session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, 0, Buffer.from('too_many_pings'))
    this.#session.destroy()
  }

  #set(name: 'idle' | 'age' | 'ping', ms: number, run: () => void): void {
    this.#clear(name)
    if (ms !== Number.POSITIVE_INFINITY) this.#timers.set(name, this.#port.clock.after(ms, run))
  }

  #clear(name: 'idle' | 'age' | 'ping'): void {
    this.#timers.get(name)?.cancel()
    this.#timers.delete(name)
  }
}
