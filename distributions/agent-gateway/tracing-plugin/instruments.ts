import type { Measured, Point } from './otlp-metrics.ts'
import type { Attributes } from './span.ts'

interface Instrument {
  readonly unit: string
  readonly description: string
  readonly bounds?: readonly number[]
}

const TOKEN_BOUNDS = Array.from({ length: 14 }, (_, power) => 4 ** power)
const SECOND_BOUNDS = Array.from({ length: 14 }, (_, power) => 2 ** power / 100)
const MILLISECOND_BOUNDS = [
  10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000,
]

/**
 * Every metric, by its name without the prefix. `tokens`, `cost.usd` and `run.duration_ms` have the names and attributes
 * of the gateway's own exporter, so that one set of dashboards reads both; those of `gen_ai.` never get a prefix.
 */
export const INSTRUMENTS = {
  tokens: { unit: '1', description: 'Tokens by type' },
  'cost.usd': { unit: '1', description: 'Cost of model calls as the gateway estimates it, in US dollars' },
  'run.duration_ms': { unit: 'ms', description: 'Duration of agent runs', bounds: MILLISECOND_BOUNDS },
  'llm.requests': { unit: '{request}', description: 'Model calls' },
  'llm.errors': { unit: '{error}', description: 'Model calls that failed' },
  'llm.duration': { unit: 'ms', description: 'Duration of model calls', bounds: MILLISECOND_BOUNDS },
  'llm.tokens.total': { unit: '{token}', description: 'Tokens of prompts and completions' },
  'llm.tokens.prompt': { unit: '{token}', description: 'Tokens of prompts, those from a cache among them' },
  'llm.tokens.completion': { unit: '{token}', description: 'Tokens of completions' },
  'llm.cost.usd': { unit: 'USD', description: 'Cost of model calls as the gateway estimates it' },
  'tool.calls': { unit: '{call}', description: 'Tool calls' },
  'tool.errors': { unit: '{error}', description: 'Tool calls that failed' },
  'tool.duration': { unit: 'ms', description: 'Duration of tool calls', bounds: MILLISECOND_BOUNDS },
  'agent.turn_duration': { unit: 'ms', description: 'Duration of agent turns', bounds: MILLISECOND_BOUNDS },
  'session.resets': { unit: '{reset}', description: 'Sessions that were reset' },
  'messages.received': { unit: '{message}', description: 'Messages that arrived' },
  'messages.sent': { unit: '{message}', description: 'Messages that were sent' },
  'gen_ai.client.token.usage': { unit: '{token}', description: 'Tokens of a model call', bounds: TOKEN_BOUNDS },
  'gen_ai.client.operation.duration': { unit: 's', description: 'Duration of model calls', bounds: SECOND_BOUNDS },
  'tracing.spans': { unit: '{span}', description: 'Spans of this plugin that were sent' },
  'tracing.dropped_spans': { unit: '{span}', description: 'Spans of this plugin that were dropped, by reason' },
} as const satisfies Record<string, Instrument>

/** The name of a metric without its prefix. */
export type MetricName = keyof typeof INSTRUMENTS

/** Sets of attributes an instrument keeps apart; what comes beyond is added up under `otel.metric.overflow`. */
const MAX_SERIES = 200

type Series = {
  attributes: Attributes
  start: number
  sum: number
  count: number
  min: number
  max: number
  buckets: number[]
}

/** What was measured since the plugin began, by metric and attributes. */
export class Instruments {
  readonly #series = new Map<MetricName, Map<string, Series>>()
  readonly #start: number

  /** `start` is when the sums begin, in milliseconds since 1970. */
  constructor(start: number) {
    this.#start = start
  }

  /** Adds to a sum, or records a value of a histogram. */
  record(name: MetricName, value: number, attributes: Attributes): void {
    const instrument: Instrument = INSTRUMENTS[name]
    const series = this.#seriesOf(name, attributes)
    series.sum += value
    if (instrument.bounds === undefined) return
    series.count++
    series.min = Math.min(series.min, value)
    series.max = Math.max(series.max, value)
    let bucket = instrument.bounds.findIndex(bound => value <= bound)
    if (bucket < 0) bucket = instrument.bounds.length
    series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1
  }

  /** Everything measured, under the names that begin with `prefix`. */
  collect(prefix: string): Measured[] {
    return Array.from(this.#series, ([name, series]) => {
      const { unit, description, bounds }: Instrument = INSTRUMENTS[name]
      const points: Point[] = Array.from(series.values(), each => ({ ...each }))
      const simple = points.map(({ attributes, start, sum }) => ({ attributes, start, sum }))
      return {
        name: name.startsWith('gen_ai.') ? name : prefix + name,
        ...{ unit, description, bounds, points: bounds === undefined ? simple : points },
      }
    })
  }

  #seriesOf(name: MetricName, attributes: Attributes): Series {
    const all = this.#series.get(name) ?? new Map<string, Series>()
    this.#series.set(name, all)
    const key = JSON.stringify(attributes)
    const known = all.get(key) ?? (all.size < MAX_SERIES ? undefined : all.get('overflow'))
    if (known) return known
    const overflows = all.size >= MAX_SERIES
    const { bounds }: Instrument = INSTRUMENTS[name]
    const series: Series = {
      attributes: overflows ? { 'otel.metric.overflow': true } : attributes,
      ...{ start: this.#start, sum: 0, count: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY },
      buckets: bounds === undefined ? [] : new Array(bounds.length + 1).fill(0),
    }
    all.set(overflows ? 'overflow' : key, series)
    return series
  }
}
