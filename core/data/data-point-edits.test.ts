import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { admit } from './admit.ts'
import { openDraft } from './draft.ts'
import { decoded, encoded } from './otlp.test-support.ts'
import type { Payload } from './payload.ts'
import type { DataPoint, Metric } from './records.ts'

const KINDS = ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary'] as const
type Kind = (typeof KINDS)[number]

function payloadOf(kind: Kind, dataPoint: object): Payload<'metrics'> {
  const metrics = [{ name: 'm', [kind]: { dataPoints: [dataPoint, { timeUnixNano: 9 }] } }]
  return admit('metrics', encoded('metrics', { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] })).payload
}

/** The metric as protobufjs reads it after `edit` of the first point, and the points as the edited draft reads them. */
function edited(payload: Payload<'metrics'>, edit: (point: DataPoint, metric: Metric) => void) {
  const draft = openDraft(payload)
  for (const metric of draft.metrics()) edit([...metric.points][0]!, metric)
  const open = read(draft.points().next().value as DataPoint)
  const sealed = draft.seal()
  const metric = (decoded('metrics', sealed.flat()) as unknown as Decoded).resourceMetrics[0]!.scopeMetrics[0]!
    .metrics[0]!
  expect(read(openDraft(sealed).points().next().value as DataPoint)).toEqual(open)
  return { metric, open }
}

interface Decoded {
  readonly resourceMetrics: { readonly scopeMetrics: { readonly metrics: Record<string, unknown>[] }[] }[]
}

function read({ value, count, sum, min, max, bucketCounts, zeroCount, positive, negative }: DataPoint) {
  return { value, count, sum, min, max, bucketCounts, zeroCount, positive, negative }
}

const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const counts = fc.array(fc.oneof(uint64, fc.constant(0n)), { maxLength: 40 })
const buckets = fc.record({ offset: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), bucketCounts: counts })
const double = fc.double()
const maybe = fc.option(double, { nil: undefined })

test('a number is an integer or a double, whatever it was before', () => {
  const before = fc.constantFrom({}, { asInt: 5 }, { asDouble: 0.5 }, { asDouble: 0 })
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  fc.assert(
    fc.property(before, fc.oneof(int64, double, fc.constantFrom(0, 0n, undefined)), (dataPoint, value) => {
      const { metric, open } = edited(payloadOf('sum', dataPoint), point => {
        point.value = 77
        point.value = value
      })
      expect(open.value).toEqual(value)
      const [point] = (metric as { sum: { dataPoints: { asInt?: unknown; asDouble?: number }[] } }).sum.dataPoints
      expect(point!.asInt === undefined ? undefined : BigInt(String(point!.asInt))).toBe(
        typeof value === 'bigint' ? value : undefined,
      )
      expect(point!.asDouble).toEqual(typeof value === 'number' ? value : undefined)
    }),
  )
})

test('a histogram is what it is set to', () => {
  fc.assert(
    fc.property(uint64, maybe, maybe, maybe, counts, counts, (count, sum, min, max, before, bucketCounts) => {
      const dataPoint = { count: 3, sum: 1, min: 1, max: 2, bucketCounts: before.map(String), explicitBounds: [1, 2] }
      const { open } = edited(payloadOf('histogram', dataPoint), point => {
        point.bucketCounts = [1n]
        Object.assign(point, { count, sum, min, max, bucketCounts })
      })
      expect(open).toMatchObject({ count, sum, min, max, bucketCounts })
    }),
  )
})

test('an exponential histogram is what it is set to', () => {
  fc.assert(
    fc.property(
      uint64,
      maybe,
      uint64,
      buckets,
      buckets,
      buckets,
      (count, sum, zeroCount, before, positive, negative) => {
        const plain = { offset: before.offset, bucketCounts: before.bucketCounts.map(String) }
        const { open } = edited(payloadOf('exponentialHistogram', { positive: plain, scale: 3 }), point => {
          Object.assign(point, { count, sum, min: undefined, max: 5, zeroCount, positive, negative })
        })
        expect(open).toMatchObject({ count, sum, min: undefined, max: 5, zeroCount, positive, negative })
      },
    ),
  )
})

test('bucket counts that came in several parts are replaced as one', () => {
  // Fields 6 packed, 7 packed, 6 unpacked, 6 packed, within dataPoints, histogram, metric, scope, resource.
  const eight = (n: number) => [n, 0, 0, 0, 0, 0, 0, 0]
  const point = [0x32, 8, ...eight(1), 0x3a, 8, ...eight(0), 0x31, ...eight(2), 0x32, 8, ...eight(3)]
  const within = (tag: number, bytes: number[]) => [tag, bytes.length, ...bytes]
  const bytes = [0x4a, 0x12, 0x12, 0x0a].reduce((inside, tag) => within(tag, inside), within(0x0a, point))
  const { payload } = admit('metrics', Buffer.from(bytes))
  expect((openDraft(payload).points().next().value as DataPoint).bucketCounts).toEqual([1n, 2n, 3n])
  const draft = openDraft(payload)
  for (const each of draft.points()) each.bucketCounts = [7n, 8n]
  const [sealed] = [...openDraft(draft.seal()).points()]
  expect(sealed).toMatchObject({ bucketCounts: [7n, 8n], explicitBounds: [0] })
})

describe('the temporality', () => {
  test.each(['sum', 'histogram', 'exponentialHistogram'] as const)('of a %s can be set', kind => {
    const { metric } = edited(payloadOf(kind, {}), (_, each) => {
      each.temporality = 2
      each.temporality = 1
      expect(each.temporality).toBe(1)
    })
    expect(metric[kind]).toMatchObject({ aggregationTemporality: 1 })
  })

  test.each(['gauge', 'summary'] as const)('of a %s cannot', kind => {
    const set = () =>
      edited(payloadOf(kind, {}), (_, each) => {
        each.temporality = 1
      })
    expect(set).toThrow(`Could not set the temporality of a metric of type ${kind}: it has none`)
  })
})

test.each([
  ['count', 'gauge', 1n],
  ['bucketCounts', 'exponentialHistogram', [1n]],
  ['positive', 'histogram', { offset: 0, bucketCounts: [] }],
  ['value', 'summary', 1],
] as const)('%s of a %s cannot be set', (name, kind, value) => {
  expect(() => edited(payloadOf(kind, {}), point => Object.assign(point, { [name]: value }))).toThrow(TypeError)
})

test.each([
  ['value', 'sum', 2n ** 63n],
  ['count', 'histogram', -1n],
  ['bucketCounts', 'histogram', [2n ** 64n]],
  ['negative', 'exponentialHistogram', { offset: 0, bucketCounts: [-1n] }],
] as const)('%s of a %s must fit', (name, kind, value) => {
  expect(() => edited(payloadOf(kind, {}), point => Object.assign(point, { [name]: value }))).toThrow(RangeError)
})

test('a metric whose points are all dropped goes, whatever else was edited', () => {
  const draft = openDraft(payloadOf('sum', { asInt: 1 }))
  for (const metric of draft.metrics()) {
    metric.temporality = 1
    for (const point of metric.points) {
      point.value = 4n
      point.drop()
    }
  }
  expect(draft.seal().items).toBe(0)
  expect(draft.seal().bytes).toBe(0)
})
