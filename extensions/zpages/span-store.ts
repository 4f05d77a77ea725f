import type { Span, Value } from '#core/data'

/** A finished span as it is shown. */
export interface SpanSample {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  /** Milliseconds since the Unix epoch. */
  readonly start: number
  /** Nanoseconds. */
  readonly duration: number
  /** The message of a span that ended in an error. */
  readonly error: string | undefined
  readonly attributes: readonly (readonly [string, Value])[]
}

/** Lower bounds of the latency buckets in nanoseconds: 0, 10 µs, 100 µs, 1 ms, ... 100 s. */
export const LATENCY_BOUNDS: readonly number[] = [0, ...Array.from({ length: 8 }, (_, power) => 10 ** (4 + power))]

/** Samples kept of each bucket and of the errors of each name. */
const KEEP = 16
/** A bucket takes one sample in so many nanoseconds, so that it shows more than the last moment. */
const SPACING = 1_000_000_000n
/** Names beyond these are not shown. */
const MAX_NAMES = 200

/** Some of the spans in one latency bucket, or with an error, and how many there were in all. */
export interface SpanBucket {
  readonly total: number
  /** Latest first. */
  readonly samples: readonly SpanSample[]
}

/** What was seen of spans with one name. */
export interface SpanSummary {
  readonly name: string
  /** One for each of {@link LATENCY_BOUNDS}: spans that ended well. */
  readonly latencies: readonly SpanBucket[]
  readonly errors: SpanBucket
}

/** Keeps samples of recent spans by name and latency, in bounded memory. */
export class SpanStore {
  readonly #byName = new Map<string, { readonly latencies: readonly Samples[]; readonly errors: Samples }>()

  /** Copies what it keeps. */
  add(span: Span): void {
    const { name } = span
    let entry = this.#byName.get(name)
    if (entry === undefined) {
      if (this.#byName.size >= MAX_NAMES) return
      entry = { latencies: LATENCY_BOUNDS.map(() => new Samples(SPACING)), errors: new Samples(undefined) }
      this.#byName.set(name, entry)
    }
    const { latencies, errors } = entry
    const failed = span.status.code === 2
    const bucket = failed ? errors : latencies[LATENCY_BOUNDS.findLastIndex(bound => span.durationNanos >= bound)]
    bucket?.add(span)
  }

  summaries(): readonly SpanSummary[] {
    return [...this.#byName]
      .map(([name, { latencies, errors }]) => ({ name, latencies, errors }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }
}

class Samples implements SpanBucket {
  total = 0
  readonly samples: SpanSample[] = []
  readonly #spacing: bigint | undefined
  /** Nanoseconds since the Unix epoch. */
  #nextFrom = 0n

  /** `spacing`: nanoseconds between two samples; none: all are kept. */
  constructor(spacing: bigint | undefined) {
    this.#spacing = spacing
  }

  add(span: Span): void {
    this.total++
    if (this.#spacing !== undefined) {
      if (span.endTime < this.#nextFrom) return
      this.#nextFrom = span.endTime + this.#spacing
    }
    this.samples.unshift(sampleOf(span))
    if (this.samples.length > KEEP) this.samples.pop()
  }
}

function sampleOf(span: Span): SpanSample {
  const { code, message } = span.status
  return {
    name: span.name,
    traceId: span.traceIdHex(),
    spanId: span.spanIdHex(),
    parentSpanId: Buffer.from(span.parentSpanId).toString('hex'),
    start: Number(span.startTime / 1_000_000n),
    duration: span.durationNanos,
    error: code === 2 ? message : undefined,
    attributes: [...span.attributes],
  }
}
