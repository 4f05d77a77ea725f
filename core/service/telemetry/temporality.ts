import type { Family, MetricStore, Series } from './metric-store.ts'

/** What of a {@link MetricStore} is read to tell it. */
export interface MetricSource {
  /** Milliseconds since the Unix epoch from which counters and histograms count. */
  readonly startTime: number
  /** The same for counters that go up and down. */
  readonly storeStart: number
  readonly temporality: 'cumulative' | 'delta'
  families(): Iterable<Family>
}

/** Everything since the store began, again and again. */
export function cumulative(store: MetricStore): MetricSource {
  const { startTime } = store
  return { startTime, storeStart: startTime, temporality: 'cumulative', families: () => store.families() }
}

/**
 * What was added to counters and histograms since the last reading; gauges and counters that go up and down are told as
 * they are. Each reader has its own.
 * Source: https://opentelemetry.io/docs/specs/otel/metrics/sdk_exporters/otlp/#additional-environment-variable-configuration
 */
export class DeltaSource {
  readonly #store: MetricStore
  readonly #last = new WeakMap<Series, { readonly value: number; readonly buckets: readonly number[] }>()
  #since: number

  constructor(store: MetricStore) {
    this.#store = store
    this.#since = store.startTime
  }

  /** What happened until `now`, milliseconds since the Unix epoch; the next reading begins there. */
  read(now: number): MetricSource {
    const families = [...this.#store.families()].map(family => this.#difference(family))
    const startTime = this.#since
    this.#since = now
    return { startTime, storeStart: this.#store.startTime, temporality: 'delta', families: () => families }
  }

  #difference(family: Family): Family {
    const { kind } = family.declaration
    if (kind !== 'counter' && kind !== 'histogram') return family
    const series = [...family.series].map(([key, each]) => [key, this.#fresh(each)] as const)
    return { declaration: family.declaration, series: new Map(series) }
  }

  #fresh(series: Series): Series {
    const value = series.value()
    if (value === undefined) return series
    const buckets = [...(series.buckets ?? [])]
    const last = this.#last.get(series)
    this.#last.set(series, { value, buckets })
    return {
      labels: series.labels,
      value: () => value - (last?.value ?? 0),
      ...(series.buckets === undefined ? {} : { buckets: buckets.map((count, i) => count - (last?.buckets[i] ?? 0)) }),
    }
  }
}
