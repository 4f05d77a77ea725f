import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeOtlp, type Otlp } from '#core/testing'
import { nanos, requestOf } from './otlp-common.ts'
import { encodeMetric } from './otlp-metrics.ts'
import { encodeSpan } from './otlp-traces.ts'
import type { Attributes, Span } from './span.ts'

const hex = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map(id => Buffer.from(id).toString('hex'))
// Values that are proto3's defaults are left out: protobufjs does not tell them from absent ones.
const text = fc.string({ unit: 'binary', minLength: 1 })
const attributes: fc.Arbitrary<Attributes> = fc.dictionary(
  text,
  fc.oneof(
    text,
    fc.constant(true),
    fc.double({ noNaN: true, min: 0.5 }),
    fc.array(text, { minLength: 1 }),
    fc.constant(undefined),
  ),
)
const span: fc.Arbitrary<Span> = fc.record({
  ...{ traceId: hex(16), spanId: hex(8), parentSpanId: fc.option(hex(8), { nil: undefined }), name: text },
  kind: fc.constantFrom(1, 2, 3),
  ...{ start: fc.integer({ min: 1 }), end: fc.double() },
  attributes,
  error: fc.option(text, { nil: undefined }),
  link: fc.option(fc.record({ traceId: hex(16), spanId: hex(8) }), { nil: undefined }),
})

test('protobufjs reads of a span what was written', () => {
  fc.assert(
    fc.property(span, written => {
      const request = decodeOtlp('traces', requestOf({ 'service.name': 'gateway' }, [encodeSpan(written)]))
      const [{ resource, scopeSpans }] = request.resourceSpans as [Otlp]
      expect(resource).toEqual({ attributes: [{ key: 'service.name', value: { stringValue: 'gateway' } }] })
      const [{ scope, spans }] = scopeSpans as [{ scope: Otlp; spans: [ReadBytes] }]
      expect(scope).toEqual({ name: 'millrace-tracing', version: '0.1.0' })
      const [read] = spans
      expect(Buffer.from(read.traceId).toString('hex')).toBe(written.traceId)
      expect(Buffer.from(read.spanId).toString('hex')).toBe(written.spanId)
      expect(read.parentSpanId && Buffer.from(read.parentSpanId).toString('hex')).toBe(written.parentSpanId)
      expect(read).toMatchObject({ name: written.name, kind: written.kind })
      expect(read.startTimeUnixNano).toBe(String(nanos(written.start)))
      expect(read.status?.message).toBe(written.error)
      const kept = Object.entries(written.attributes).filter(([, value]) => value !== undefined)
      expect((read.attributes ?? []).map(({ key, value }) => [key, innerOf(value)])).toEqual(kept)
    }),
  )
})

test('protobufjs reads of metrics what was written', () => {
  const sum = {
    ...{ name: 'openclaw.tokens', unit: '1', description: 'Tokens' },
    points: [{ attributes: { a: 'b' }, start: 1, sum: 12.5 }],
  }
  const histogram = {
    ...{ name: 'openclaw.run.duration_ms', unit: 'ms', description: '', bounds: [1, 10] },
    points: [{ attributes: {}, start: 1, sum: 25, count: 3, min: 0.5, max: 20, buckets: [1, 1, 1] }],
  }
  const request = decodeOtlp('metrics', requestOf({}, [encodeMetric(sum, 2), encodeMetric(histogram, 2)]))
  const [{ scopeMetrics }] = request.resourceMetrics as [{ scopeMetrics: [{ metrics: [Otlp, Otlp] }] }]
  const [one, other] = scopeMetrics[0].metrics
  expect(one).toMatchObject({
    ...{ name: 'openclaw.tokens', unit: '1' },
    sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints: [{ asDouble: 12.5, timeUnixNano: '2000000' }] },
  })
  expect(other.histogram).toMatchObject({
    aggregationTemporality: 2,
    dataPoints: [{ count: '3', sum: 25, bucketCounts: ['1', '1', '1'], explicitBounds: [1, 10], min: 0.5, max: 20 }],
  })
})

type Value = Readonly<Record<string, unknown>>

interface ReadBytes extends Otlp {
  traceId: Uint8Array
  spanId: Uint8Array
  parentSpanId?: Uint8Array
  status?: { message: string }
  attributes?: { key: string; value: Value }[]
}

function innerOf(value: Value): unknown {
  const [kind, inner] = Object.entries(value)[0]!
  if (kind === 'intValue') return Number(inner)
  return kind === 'arrayValue'
    ? (inner as { values: { stringValue: string }[] }).values.map(each => each.stringValue)
    : inner
}
