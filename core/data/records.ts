import type { Payload } from './payload.ts'
import type { Signal } from './signal.ts'

/** An attribute name prepared for comparison with bytes. Made by `key`, once, outside the loop. */
export interface Key {
  readonly name: string
  /** UTF-8. */
  readonly bytes: Buffer
}

/** What an attribute can hold. Integers are `number` while safe, else `bigint`; `null` is the empty value. */
export type Value = string | number | bigint | boolean | Uint8Array | readonly Value[] | ValueMap | null
export interface ValueMap {
  readonly [key: string]: Value
}

export type ValueKind = 'string' | 'int' | 'double' | 'bool' | 'bytes' | 'array' | 'map' | 'empty'

/** A number to be written as a double even when it is integral. Plain integral numbers are written as integers. */
export class Double {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

/** The attributes of one resource, scope, span, data point, log record, event, link or exemplar. Edits are recorded in the draft. */
export interface Attributes extends Iterable<[string, Value]> {
  readonly size: number
  get(key: string | Key): Value | undefined
  /** Whether the value is the string `text`. Compares bytes; no string is made. */
  is(key: string | Key, text: string): boolean
  has(key: string | Key): boolean
  kind(key: string | Key): ValueKind | undefined
  /** Inserts or replaces. Integral numbers become int, others double; see {@link Double}. */
  set(key: string | Key, value: Value | Double): void
  /** Only when absent. Tells whether something changed. */
  insert(key: string | Key, value: Value | Double): boolean
  /** Only when present. Tells whether something changed. */
  update(key: string | Key, value: Value | Double): boolean
  /** Adds without looking: for callers who know that the key is absent. */
  append(key: string | Key, value: Value | Double): void
  delete(key: string | Key): boolean
  /** Moves the value's bytes to another key; an existing value there goes away. */
  rename(from: string | Key, to: string | Key): boolean
}

export interface Resource {
  readonly attributes: Attributes
  readonly schemaUrl: string
  /** The bytes of the whole top-level entry as they came in; valid as long as the payload. */
  readonly bytes: Uint8Array
  readonly scopes: Iterable<Scope>
}

export interface Scope {
  readonly name: string
  readonly version: string
  readonly schemaUrl: string
  readonly attributes: Attributes
  readonly resource: Resource
}

/** A span, data point or log record: the unit that is counted, filtered and edited. */
export interface TelemetryRecord {
  readonly attributes: Attributes
  readonly resource: Resource
  readonly scope: Scope
  /** The record's own bytes as they came in; valid as long as the payload. Copy to keep. */
  readonly bytes: Uint8Array
  /** Leaves the record out of the sealed payload. Scopes and resources that become empty go with it. */
  drop(): void
}

export interface SpanEvent {
  readonly name: string
  readonly time: bigint
  readonly attributes: Attributes
}

export interface SpanLink {
  readonly traceId: Uint8Array
  readonly spanId: Uint8Array
  readonly traceState: string
  readonly attributes: Attributes
}

export interface Span extends TelemetryRecord {
  name: string
  /** 0 unspecified, 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number
  /** 16 bytes, or none. A view: valid as long as the payload. */
  traceId: Uint8Array
  readonly spanId: Uint8Array
  parentSpanId: Uint8Array
  traceState: string
  readonly flags: number
  /** Nanoseconds since the Unix epoch. */
  startTime: bigint
  endTime: bigint
  /** End minus start in nanoseconds, as a double. */
  readonly durationNanos: number
  /** 0 unset, 1 ok, 2 error. */
  readonly status: { readonly code: number; readonly message: string }
  setStatus(code: number, message?: string): void
  traceIdHex(): string
  spanIdHex(): string
  readonly events: Iterable<SpanEvent>
  readonly links: Iterable<SpanLink>
}

export interface LogRecord extends TelemetryRecord {
  time: bigint
  observedTime: bigint
  /** 0 unspecified, 1 to 24. */
  severityNumber: number
  severityText: string
  body: Value | undefined
  eventName: string
  readonly traceId: Uint8Array
  readonly spanId: Uint8Array
  readonly flags: number
  traceIdHex(): string
  spanIdHex(): string
}

export type MetricType = 'gauge' | 'sum' | 'histogram' | 'exponential_histogram' | 'summary' | 'empty'

/** 0 unspecified, 1 delta, 2 cumulative. */
export type Temporality = number

export interface Metric {
  name: string
  unit: string
  description: string
  readonly type: MetricType
  /** Of sums and histograms of both kinds; setting that of another metric throws a TypeError. */
  temporality: Temporality
  readonly monotonic: boolean
  readonly resource: Resource
  readonly scope: Scope
  readonly points: Iterable<DataPoint>
  drop(): void
}

export interface Exemplar {
  readonly time: bigint
  readonly value: number | bigint | undefined
  readonly traceId: Uint8Array
  readonly spanId: Uint8Array
  readonly filteredAttributes: Attributes
}

export interface DataPoint extends TelemetryRecord {
  readonly metric: Metric
  startTime: bigint
  time: bigint
  readonly flags: number
  /** Gauges and sums: a double as `number`, an integer as `bigint`. Setting what a point's type does not have throws a TypeError. */
  value: number | bigint | undefined
  /** Histograms and exponential histograms; of summaries only to be read. */
  count: bigint | undefined
  /** `undefined` takes it away; so for `min` and `max`. */
  sum: number | undefined
  min: number | undefined
  max: number | undefined
  /** Histograms. */
  readonly explicitBounds: readonly number[]
  bucketCounts: readonly bigint[]
  /** Exponential histograms. */
  readonly scale: number
  zeroCount: bigint
  readonly zeroThreshold: number
  positive: ExponentialBuckets
  negative: ExponentialBuckets
  /** Summaries. */
  readonly quantiles: readonly { readonly quantile: number; readonly value: number }[]
  readonly exemplars: Iterable<Exemplar>
}

export interface ExponentialBuckets {
  readonly offset: number
  readonly bucketCounts: readonly bigint[]
}

/** The records of each signal. */
export interface Records {
  traces: Span
  metrics: DataPoint
  logs: LogRecord
  profiles: never
}

/**
 * A payload open for reading and editing; one owner at a time. Reading costs what is touched, editing writes to a log,
 * and `seal` encodes only what changed. A draft that was not edited seals to the very payload it was made from.
 * After `seal`, edits throw and reading still shows the state before the edits.
 */
export interface Draft<S extends Signal = Signal> {
  readonly signal: S
  /** Items at opening minus those dropped since. */
  readonly items: number
  /** Every span, data point or log record, in order, edits and drops included. */
  records(): IterableIterator<Records[S]>
  /** The same under the signal's own name; each throws for a draft of another signal. */
  spans(): IterableIterator<Span>
  logs(): IterableIterator<LogRecord>
  points(): IterableIterator<DataPoint>
  metrics(): IterableIterator<Metric>
  resources(): IterableIterator<Resource>
  seal(): Payload<S>
}
