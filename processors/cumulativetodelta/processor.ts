import {
  type Component,
  type ConsumeContext,
  type Consumer,
  PartialError,
  type PipelineContext,
  type Recorders,
  type Timer,
} from '#core/component'
import type { Payload } from '#core/data'
import type { CumulativeToDeltaConfig } from './config.ts'
import { Conversion, type Converting } from './conversion.ts'
import { selectionOf } from './selection.ts'
import { SeriesStore } from './series.ts'
import { cumulativeToDeltaInstruments } from './telemetry.ts'

/**
 * Hands on differences. A Consumer rather than a Transform because it must know whether they arrived: those of a
 * refused payload are taken back.
 */
export class CumulativeToDeltaProcessor implements Component, Consumer {
  readonly #maxStaleness: number
  readonly #next: Consumer
  readonly #context: PipelineContext
  readonly #instruments: Recorders<typeof cumulativeToDeltaInstruments>
  readonly #store: SeriesStore
  readonly #converting: Converting
  readonly #stopObserving: () => void
  #timer: Timer | undefined

  constructor(config: CumulativeToDeltaConfig, next: Consumer, context: PipelineContext) {
    this.#maxStaleness = config.max_staleness
    this.#next = next
    this.#context = context
    this.#store = new SeriesStore(config.max_staleness)
    this.#converting = {
      store: this.#store,
      selection: selectionOf(config),
      initialValue: config.initial_value,
      resetValue: config.reset_value,
      began: BigInt(context.clock.now()) * 1_000_000n,
    }
    this.#instruments = context.meter.bind(cumulativeToDeltaInstruments)
    this.#stopObserving = this.#instruments.streams.observe(() => this.#store.size)
  }

  async start(): Promise<void> {
    if (this.#maxStaleness > 0) this.#sweepLater()
  }

  async shutdown(): Promise<void> {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#stopObserving()
  }

  async consume(payload: Payload, context: ConsumeContext): Promise<void> {
    const { clock } = this.#context
    const conversion = new Conversion(payload as Payload<'metrics'>, this.#converting, clock.monotonic())
    if (conversion.payload.items > 0 || payload.items === 0) {
      try {
        await this.#next.consume(conversion.payload, context)
      } catch (error) {
        if (!(error instanceof PartialError)) conversion.undo()
        else this.#enter(conversion)
        throw error
      }
    }
    this.#enter(conversion)
  }

  /** What was dropped is entered once the rest is safe: a sender that is refused still has everything. */
  #enter({ converted, dropped }: Conversion): void {
    for (const [metric_type, points] of converted) this.#instruments.converted.add(points, { metric_type })
    for (const [metric_type, reasons] of dropped) {
      for (const [reason, points] of reasons) {
        this.#instruments.dropped.add(points, { metric_type, reason })
        this.#context.ledger.dropped('metrics', points, reason)
      }
    }
  }

  #sweepLater(): void {
    const { clock } = this.#context
    this.#timer = clock.after(this.#maxStaleness, () => {
      this.#store.sweep(clock.monotonic())
      this.#sweepLater()
    })
  }
}
