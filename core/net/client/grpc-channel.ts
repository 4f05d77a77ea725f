import type { Clock, Timer } from '#core/component'
import { type Address, describe, printAddress } from './dial.ts'
import type { GrpcConnection } from './grpc-connection.ts'
import type { GrpcResolver } from './grpc-resolver.ts'
import type { GrpcSubchannel } from './grpc-subchannel.ts'
import { ReconnectBackoff } from './reconnect-backoff.ts'

export interface GrpcChannelOptions {
  readonly clock: Clock
  readonly resolver: GrpcResolver
  readonly balancer: 'round_robin' | 'pick_first'
  subchannel(address: Address, changed: () => void): GrpcSubchannel
}

/** No connection, and none is being made right now. */
export class NoConnection extends Error {
  override name = 'NoConnection'
}

/** All addresses of a server, and the choice between them. */
export class GrpcChannel {
  readonly #options: GrpcChannelOptions
  readonly #backoff = new ReconnectBackoff()
  readonly #waiting = new Set<() => void>()
  #subchannels: GrpcSubchannel[] = []
  /** For `pick_first`: which address is tried or used. */
  #chosen = 0
  #turn = 0
  #resolving = false
  #timer: Timer | undefined
  #failure = ''
  #closed = false

  constructor(options: GrpcChannelOptions) {
    this.#options = options
  }

  /** Begins to connect. Failures show in {@link pick}. */
  connect(): void {
    if (this.#subchannels.length === 0) void this.#resolve()
    else if (this.#options.balancer === 'round_robin') for (const each of this.#subchannels) each.connect()
    else this.#subchannels[this.#chosen]?.connect()
  }

  /**
   * The connection for the next call; waits while one is being made, and with `patient` also while that fails.
   * @throws {NoConnection} with the reason, or the signal's reason
   */
  async pick(patient: boolean, signal: AbortSignal): Promise<GrpcConnection> {
    for (;;) {
      const connection = this.ready()
      if (connection !== undefined) return connection
      signal.throwIfAborted()
      if (this.#closed) throw new NoConnection('Client is closed')
      this.connect()
      if (!patient && this.#hopeless()) throw new NoConnection(this.#why())
      await this.#change(signal)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#timer?.cancel()
    this.#changed()
    await Promise.all(this.#subchannels.map(each => each.close()))
  }

  destroy(): void {
    this.#closed = true
    this.#timer?.cancel()
    this.#changed()
    for (const each of this.#subchannels) each.destroy()
  }

  /** The connection for the next call, when there is one. */
  ready(): GrpcConnection | undefined {
    const all = this.#subchannels
    if (this.#options.balancer === 'pick_first') return all[this.#chosen]?.connection
    for (let i = 0; i < all.length; i++) {
      const connection = all[(this.#turn + i) % all.length]!.connection
      if (connection === undefined) continue
      this.#turn = (this.#turn + i + 1) % all.length
      return connection
    }
    return undefined
  }

  /** Nothing is under way that could end well soon. */
  #hopeless(): boolean {
    if (this.#resolving) return false
    if (this.#subchannels.length === 0) return this.#timer !== undefined
    return this.#subchannels.every(each => each.state === 'waiting')
  }

  #why(): string {
    const failures = this.#subchannels.map(each => each.failure).filter(failure => failure !== '')
    return failures.at(-1) ?? (this.#failure || 'No connection')
  }

  async #resolve(): Promise<void> {
    if (this.#resolving || this.#closed || this.#timer !== undefined || !this.#options.resolver.due) return
    this.#resolving = true
    try {
      this.#use(await this.#options.resolver.resolve())
      this.#backoff.reset()
    } catch (error) {
      this.#failure = describe(error)
      this.#timer = this.#options.clock.after(this.#backoff.next(), () => {
        this.#timer = undefined
        void this.#resolve()
      })
    } finally {
      this.#resolving = false
      this.#changed()
    }
  }

  /** Keeps what is still listed, closes what is not, adds what is new. */
  #use(addresses: readonly Address[]): void {
    if (this.#closed) return
    const known = new Map(this.#subchannels.map(each => [printAddress(each.address), each]))
    const current = this.#subchannels[this.#chosen]
    this.#subchannels = addresses.map(address => {
      const key = printAddress(address)
      const kept = known.get(key)
      known.delete(key)
      return kept ?? this.#options.subchannel(address, () => this.#changed())
    })
    for (const gone of known.values()) void gone.close()
    this.#chosen = Math.max(0, current === undefined ? 0 : this.#subchannels.indexOf(current))
    this.connect()
  }

  #changed(): void {
    if (!this.#closed && this.#subchannels.length > 0) {
      if (this.#subchannels.some(each => each.state !== 'ready') && this.#options.resolver.due) void this.#resolve()
      if (this.#options.balancer === 'pick_first') this.#next()
    }
    for (const wake of [...this.#waiting]) wake()
  }

  /** `pick_first`: when the chosen address does not answer, the next one in the list that has not failed yet. */
  #next(): void {
    if (this.#subchannels[this.#chosen]?.state !== 'waiting') return
    const count = this.#subchannels.length
    for (let i = 1; i < count; i++) {
      const index = (this.#chosen + i) % count
      if (this.#subchannels[index]!.state === 'waiting') continue
      this.#chosen = index
      this.#subchannels[index]!.connect()
      return
    }
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (result: () => void) => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', abort)
        result()
      }
      const wake = () => done(resolve)
      const abort = () => done(() => reject(signal.reason))
      this.#waiting.add(wake)
      signal.addEventListener('abort', abort, { once: true })
    })
  }
}
