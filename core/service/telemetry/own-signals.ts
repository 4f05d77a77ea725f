import { type Clock, type Consumers, NO_CONTEXT, type Timer } from '#core/component'
import { admit, type Signal } from '#core/data'

/** The signals that the collector has about itself. */
export type OwnSignal = Exclude<Signal, 'profiles'>

/** Turns own records of a signal into an OTLP request. */
export type Serialize = (signal: OwnSignal, records: readonly unknown[]) => Buffer

/** How records are collected. */
export interface FeedSettings {
  /** Milliseconds that records wait for others. */
  readonly delay: number
  /** Records kept while the taker is busy; more are left out. */
  readonly maxWaiting: number
  /** Records handed over at once; so many do not wait for others. */
  readonly maxBatch: number
}

export interface FeedOptions {
  readonly clock: Clock
  readonly settings: FeedSettings
  /** Told of records that did not reach the taker: there was no room (no error), or it failed. */
  lost(signal: OwnSignal, records: number, error?: unknown): void
}

/**
 * One taker of the collector's own signals: a pipeline of the same collector, or an exporter of own telemetry. Hands
 * over one batch at a time. A busy or failing taker never holds up the collector: what does not fit is left out, and
 * so is what it refuses.
 */
export class OwnSignalFeed {
  readonly #next: Consumers
  readonly #serialize: Serialize
  readonly #options: FeedOptions
  readonly #waiting = new Map<OwnSignal, unknown[]>()
  #timer: Timer | undefined
  /** The end of the deliveries that were asked for. */
  #deliveries: Promise<void> = Promise.resolve()
  #busy = false
  #closed = false

  constructor(next: Consumers, serialize: Serialize, options: FeedOptions) {
    this.#next = next
    this.#serialize = serialize
    this.#options = options
  }

  wants(signal: OwnSignal): boolean {
    return !this.#closed && this.#next[signal] !== undefined
  }

  /** Takes a record to be delivered after the delay at the latest, unless the taker is busy. */
  add(signal: OwnSignal, record: unknown): void {
    if (!this.wants(signal)) return
    const { settings, lost } = this.#options
    let records = this.#waiting.get(signal)
    if (records === undefined) {
      records = []
      this.#waiting.set(signal, records)
    }
    if (records.length >= settings.maxWaiting) {
      lost(signal, 1)
    } else {
      records.push(record)
      this.#arrange()
    }
  }

  /** Delivers what waits, after what is under way, and resolves once the taker has answered. Never rejects. */
  flush(): Promise<void> {
    // Not within the call that made a record: a taker may need as long as it likes.
    this.#deliveries = this.#deliveries.then(() => this.#drain())
    return this.#deliveries
  }

  /** Delivers what waits and takes nothing more. */
  close(): Promise<void> {
    this.#closed = true
    this.#timer?.cancel()
    return this.flush()
  }

  /** Delivers soon when a batch is full, else after the delay. While the taker is busy records keep waiting. */
  #arrange(): void {
    if (this.#busy || this.#closed) return
    const { clock, settings } = this.#options
    let most = 0
    for (const records of this.#waiting.values()) most = Math.max(most, records.length)
    if (most >= settings.maxBatch) void this.#begin()
    else if (most > 0) this.#timer ??= clock.after(settings.delay, () => void this.#begin())
  }

  async #begin(): Promise<void> {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#busy = true
    await this.flush()
    this.#busy = false
    this.#arrange()
  }

  async #drain(): Promise<void> {
    for (const [signal, records] of [...this.#waiting]) {
      this.#waiting.delete(signal)
      await this.#deliver(signal, records)
    }
  }

  async #deliver(signal: OwnSignal, records: readonly unknown[]): Promise<void> {
    const { settings, lost } = this.#options
    for (let at = 0; at < records.length; at += settings.maxBatch) {
      const batch = records.slice(at, at + settings.maxBatch)
      try {
        const { payload } = admit(signal, this.#serialize(signal, batch))
        await this.#next[signal]?.consume(payload as never, NO_CONTEXT)
      } catch (error) {
        lost(signal, batch.length, error)
      }
    }
  }
}
