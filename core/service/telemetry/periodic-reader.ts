import type { Clock, Timer } from '#core/component'
import { admit } from '#core/data'
import type { PeriodicReaderConfig } from './export-schema.ts'
import type { Losses } from './losses.ts'
import type { MetricStore } from './metric-store.ts'
import type { ExportConsumer } from './own-exporter.ts'
import { metricRecords } from './own-records.ts'
import type { Serialize } from './own-signals.ts'
import { cumulative, DeltaSource, type MetricSource } from './temporality.ts'

/** What a {@link PeriodicReader} works with. */
export interface PeriodicReaderDeps {
  readonly store: MetricStore
  readonly serialize: Serialize
  readonly end: ExportConsumer
  readonly losses: Losses
  readonly clock: Clock
}

/** Exports own metrics every `interval` milliseconds and once more when it is closed. */
export class PeriodicReader {
  readonly #interval: number
  readonly #deps: PeriodicReaderDeps
  readonly #source: (now: number) => MetricSource
  #timer: Timer | undefined
  #export: Promise<void> = Promise.resolve()
  #started = false
  #closed = false

  constructor({ interval, exporter }: PeriodicReaderConfig, deps: PeriodicReaderDeps) {
    this.#interval = interval
    this.#deps = deps
    const preference = exporter.otlp?.temporality_preference ?? 'cumulative'
    const delta = new DeltaSource(deps.store)
    this.#source = preference === 'cumulative' ? () => cumulative(deps.store) : now => delta.read(now)
  }

  async start(): Promise<void> {
    await this.#deps.end.start()
    this.#started = true
    this.#arrange()
  }

  /** Exports what there is and closes the exporter. Never rejects. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#timer?.cancel()
    this.#deps.end.hurry()
    await this.#export
    if (this.#started) await this.#send()
    await this.#deps.end.close()
    this.#deps.losses.tell()
  }

  /** An export that takes longer than the interval makes the next one late, never a second one beside it. */
  #arrange(spent = 0): void {
    const { clock } = this.#deps
    this.#timer = clock.after(Math.max(0, this.#interval - spent), () => {
      const begun = clock.monotonic()
      this.#export = this.#send().then(() => {
        if (!this.#closed) this.#arrange(clock.monotonic() - begun)
      })
    })
  }

  async #send(): Promise<void> {
    const { clock, serialize, end, losses } = this.#deps
    const records = metricRecords(this.#source(clock.now()), clock.now())
    try {
      if (records.length > 0) await end.consume(admit('metrics', serialize('metrics', records)).payload)
    } catch (error) {
      losses.add('metrics', records.length, error)
    }
  }
}
