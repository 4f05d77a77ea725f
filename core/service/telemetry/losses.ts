import { type Clock, type Counter, counter, type Logger, type Timer } from '#core/component'
import type { OwnSignal } from './own-signals.ts'

/** What own telemetry tells about itself. */
export const ownTelemetryInstruments = {
  lost: counter({
    name: 'otelcol_own_telemetry_lost_records',
    unit: '{record}',
    description: 'Records of own telemetry that did not reach an exporter or pipeline of theirs.',
    labels: ['otel_signal'],
  }),
}

/** What {@link Losses} writes to. */
export interface LossDeps {
  readonly clock: Clock
  readonly counter: Counter
  /** Its lines are printed but not exported: a failing export of logs must not make logs to export. */
  readonly logger: Logger
  /** Milliseconds in which one line is logged at most. */
  readonly window: number
}

const LABELS = {
  traces: { otel_signal: 'traces' },
  metrics: { otel_signal: 'metrics' },
  logs: { otel_signal: 'logs' },
} as const satisfies Record<OwnSignal, object>

/** Own records that did not reach one taker: all are counted, one line a window tells of them. */
export class Losses {
  readonly #deps: LossDeps
  readonly #taker: string
  #untold = 0
  #quietUntil = 0
  #timer: Timer | undefined
  #last: { readonly signal: OwnSignal; readonly error: unknown } | undefined

  /** `taker`: who should have got them, for the log. */
  constructor(taker: string, deps: LossDeps) {
    this.#taker = taker
    this.#deps = deps
  }

  /** `error` is `undefined` when there was no room. */
  add(signal: OwnSignal, records: number, error?: unknown): void {
    const { clock, counter } = this.#deps
    counter.add(records, LABELS[signal])
    this.#untold += records
    this.#last = { signal, error }
    const quiet = this.#quietUntil - clock.monotonic()
    if (quiet <= 0) this.tell()
    else this.#timer ??= clock.after(quiet, () => this.tell())
  }

  /** Logs what has not been told yet. */
  tell(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#quietUntil = this.#deps.clock.monotonic() + this.#deps.window
    if (this.#untold === 0 || this.#last === undefined) return
    const { signal, error } = this.#last
    const why = error ?? new Error('more records than the queue holds')
    this.#deps.logger.warn('Own telemetry is lost', { taker: this.#taker, signal, records: this.#untold, error: why })
    this.#untold = 0
  }
}
