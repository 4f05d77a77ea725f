import { type Clock, type Consumers, NO_CONTEXT, type Timer } from '#core/component'
import { admit, type Signal } from '#core/data'

/** Records kept for one taker while it is busy; more are left out and counted. */
const MAX_WAITING = 2048
/** Milliseconds within which records are collected. */
const FLUSH_AFTER = 1000

/** The signals that the collector has about itself. */
export type OwnSignal = Exclude<Signal, 'profiles'>

/** Turns own records of a signal into an OTLP request. */
export type Serialize = (signal: OwnSignal, records: readonly unknown[]) => Buffer

/**
 * One taker of the collector's own signals: a pipeline of the same collector, or an OTLP exporter. Records are collected
 * for a second. A busy or failing taker never holds up the collector: what does not fit is left out and counted, and so
 * is what it refuses.
 */
export class OwnSignalFeed {
  readonly #next: Consumers
  readonly #serialize: Serialize
  readonly #clock: Clock
  readonly #waiting = new Map<OwnSignal, unknown[]>()
  #timer: Timer | undefined
  #delivery: Promise<void> = Promise.resolve()
  #closed = false
  #left = 0

  constructor(next: Consumers, serialize: Serialize, clock: Clock) {
    this.#next = next
    this.#serialize = serialize
    this.#clock = clock
  }

  /** Records that did not reach the taker. */
  get left(): number {
    return this.#left
  }

  wants(signal: OwnSignal): boolean {
    return !this.#closed && this.#next[signal] !== undefined
  }

  /** Takes a record to be delivered within a second. */
  add(signal: OwnSignal, record: unknown): void {
    if (!this.wants(signal)) return
    let records = this.#waiting.get(signal)
    if (records === undefined) {
      records = []
      this.#waiting.set(signal, records)
    }
    if (records.length >= MAX_WAITING) {
      this.#left++
      return
    }
    records.push(record)
    this.#timer ??= this.#clock.after(FLUSH_AFTER, () => void this.#flushUnlessBusy())
  }

  /** Delivers what waits and resolves once the taker has answered. Never rejects. */
  flush(): Promise<void> {
    this.#timer?.cancel()
    this.#timer = undefined
    for (const [signal, records] of this.#waiting) {
      this.#waiting.delete(signal)
      this.#delivery = this.#delivery.then(() => this.#deliver(signal, records))
    }
    return this.#delivery
  }

  async close(): Promise<void> {
    const last = this.flush()
    this.#closed = true
    await last
  }

  /** While a delivery is under way records keep waiting, up to their limit, so that a slow taker has one at a time. */
  #flushUnlessBusy(): Promise<void> {
    const busy = this.#delivery
    return busy.then(() => this.flush())
  }

  async #deliver(signal: OwnSignal, records: readonly unknown[]): Promise<void> {
    const consumer = this.#next[signal]
    if (consumer === undefined) return
    try {
      const { payload } = admit(signal, this.#serialize(signal, records))
      await consumer.consume(payload as never, NO_CONTEXT)
    } catch {
      this.#left += records.length
    }
  }
}
