import { type DataPoint, type Draft, type Metric, type MetricType, openDraft, type Payload } from '#core/data'
import { type Accumulation, isDifference } from './accumulation.ts'
import type { CumulativeToDeltaConfig } from './config.ts'
import { exponentialHistograms } from './exponential-histograms.ts'
import { histograms } from './histograms.ts'
import { IdentityReader } from './identity.ts'
import type { Selection } from './selection.ts'
import type { SeriesStore } from './series.ts'
import { sums } from './sums.ts'
import { Undo } from './undo.ts'

/** What all conversions of a processor share. */
export interface Converting {
  readonly store: SeriesStore
  readonly selection: Selection
  readonly initialValue: CumulativeToDeltaConfig['initial_value']
  readonly resetValue: CumulativeToDeltaConfig['reset_value']
  /** When the processor began to look, in nanoseconds since the epoch. */
  readonly began: bigint
}

/** Why a point is left out. */
export type Reason = 'initial' | 'reset' | 'bucket_mismatch' | 'out_of_order' | 'no_recorded_value'

const DELTA = 1
const CUMULATIVE = 2
/** `DATA_POINT_FLAGS_NO_RECORDED_VALUE_MASK`. */
const NO_RECORDED_VALUE = 1

/** The conversion of one payload: what it made of each point, and how to take that back. */
export class Conversion {
  readonly payload: Payload<'metrics'>
  /** Points by type, and left out by type and reason. */
  readonly converted = new Map<MetricType, number>()
  readonly dropped = new Map<MetricType, Map<Reason, number>>()
  readonly #with: Converting
  readonly #now: number
  readonly #identities = new IdentityReader()
  readonly #undo = new Undo()

  /** @param now milliseconds of a monotonic clock */
  constructor(payload: Payload<'metrics'>, converting: Converting, now: number) {
    this.#with = converting
    this.#now = now
    const draft: Draft<'metrics'> = openDraft(payload)
    for (const metric of draft.metrics()) this.#convertMetric(metric)
    this.payload = draft.seal()
  }

  /** For when the rest was refused: it will come again, or be part of the next difference. */
  undo(): void {
    this.#undo.run(this.#with.store)
  }

  #convertMetric(metric: Metric): void {
    if (metric.temporality !== CUMULATIVE) return
    const accumulation = accumulationOf(metric)
    if (accumulation === undefined || !this.#with.selection(metric)) return
    const { type } = metric
    const id = this.#identities.ofMetric(metric)
    let points = 0
    for (const point of metric.points) {
      points++
      const reason = this.#convertPoint(point, id, accumulation)
      if (reason === undefined) this.converted.set(type, (this.converted.get(type) ?? 0) + 1)
      else {
        point.drop()
        const reasons = this.dropped.get(type) ?? new Map<Reason, number>()
        this.dropped.set(type, reasons.set(reason, (reasons.get(reason) ?? 0) + 1))
      }
    }
    if (points > 0) metric.temporality = DELTA
  }

  /** Makes the point a delta; or tells why it is to be left out. */
  #convertPoint<V>(point: DataPoint, metric: string, accumulation: Accumulation<V>): Reason | undefined {
    if (point.flags & NO_RECORDED_VALUE) return 'no_recorded_value'
    const value = accumulation.read(point)
    if (value === undefined) return undefined
    const { time } = point
    const { store } = this.#with
    const id = this.#identities.ofPoint(metric, point)
    const series = store.get<V>(id, this.#now)
    if (series === undefined) {
      const forgotten = store.wasForgotten(id)
      const kept = this.#keepsFirst(point, forgotten)
      const first = { time, value, seen: this.#now, version: 0 }
      store.set(id, first)
      this.#undo.add({ id, series: first, before: undefined, forgotten, accumulation, owed: kept ? value : undefined })
      return kept ? undefined : 'initial'
    }
    series.seen = this.#now
    if (time <= series.time && time !== 0n) return 'out_of_order'
    const before = { time: series.time, value: series.value, version: series.version }
    const difference = accumulation.since(value, before.value)
    series.time = time
    series.version++
    series.value = difference === 'reset' ? value : accumulation.remember(value, before.value)
    const kept = difference === 'reset' && this.#with.resetValue === 'keep'
    const owed = kept ? value : isDifference(difference) ? difference : undefined
    this.#undo.add({ id, series, before, forgotten: false, accumulation, owed })
    if (isDifference(difference)) accumulation.write(point, difference)
    else if (!kept) return difference
    point.startTime = before.time
    return undefined
  }

  /** Whether the first point seen of a series is what happened since the series began, none of it counted before. */
  #keepsFirst({ startTime, time }: DataPoint, forgotten: boolean): boolean {
    const { initialValue, began } = this.#with
    if (initialValue !== 'auto') return initialValue === 'keep'
    return startTime >= began && startTime !== time && !forgotten
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each type of metric has values of its own
function accumulationOf({ type, monotonic }: Metric): Accumulation<any> | undefined {
  if (type === 'sum') return monotonic ? sums : undefined
  if (type === 'histogram') return histograms
  return type === 'exponential_histogram' ? exponentialHistograms : undefined
}
