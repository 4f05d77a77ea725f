import { describe, expect, test } from 'vitest'
import { NO_CONTEXT, PartialError, PermanentError } from '#core/component'
import type { PlainMetric } from '#core/data'
import { configure, Sink, metrics as someMetrics, testContext } from '#core/testing'
import { cumulativeToDeltaConfig } from './config.ts'
import { cumulativetodeltaProcessor } from './index.ts'
import { exponential, histogram, payloadOf, rig, SECOND, sum } from './rig.test-support.ts'

type Point = NonNullable<NonNullable<PlainMetric['sum']>['dataPoints']>[number]

/** A point `at` seconds after the processor began; its series began then, too, unless `start` says otherwise. */
function at(began: bigint, seconds: number, over: Point & { readonly start?: number } = {}): Point {
  const { start = 0, ...rest } = over
  return {
    startTimeUnixNano: began + BigInt(start) * SECOND,
    timeUnixNano: began + BigInt(seconds) * SECOND,
    ...rest,
  }
}

/** Values of the sums that arrived, with start and time in seconds since the processor began. */
function deltas({ metrics, began }: ReturnType<typeof rig>) {
  return metrics().flatMap(metric =>
    (metric.sum?.dataPoints ?? []).map(point => [
      Number(point.asInt ?? point.asDouble),
      Number((BigInt(point.startTimeUnixNano ?? 0) - began) / SECOND),
      Number((BigInt(point.timeUnixNano ?? 0) - began) / SECOND),
    ]),
  )
}

test('each point says what came since the one before', async () => {
  const r = rig()
  await r.send(sum([at(r.began, 1, { asInt: 5 })]))
  await r.send(sum([at(r.began, 2, { asInt: 7 }), at(r.began, 4, { asInt: 7 })]))
  await r.send(sum([at(r.began, 9, { asInt: 1_000_000 })]))
  expect(deltas(r)).toEqual([
    [5, 0, 1],
    [2, 1, 2],
    [0, 2, 4],
    [999_993, 4, 9],
  ])
  expect(r.metrics().map(metric => metric.sum?.aggregationTemporality)).toEqual([1, 1, 1])
  expect(r.metrics().every(metric => metric.sum?.isMonotonic === true && metric.name === 'requests')).toBe(true)
})

test('integers are exact to the last bit, doubles stay doubles', async () => {
  const r = rig()
  const big = 2n ** 62n
  await r.send(sum([at(r.began, 1, { asInt: big }), at(r.began, 1, { asDouble: 0.5 })]))
  await r.send(sum([at(r.began, 2, { asInt: big + 1n }), at(r.began, 2, { asDouble: 2.5 })]))
  const points = r.metrics().flatMap(metric => metric.sum!.dataPoints!)
  expect(points.map(({ asInt, asDouble }) => asInt ?? asDouble)).toEqual([String(big), 0.5, '1', 2])
})

describe('what is no cumulative monotonic sum or histogram passes, to the byte:', () => {
  const dataPoints = [{ asInt: 1, timeUnixNano: 1 }]
  test.each<[string, PlainMetric]>([
    ['a gauge', { name: 'm', gauge: { dataPoints } }],
    ['a sum that may fall', sum(dataPoints, { isMonotonic: false })],
    ['a delta sum', sum(dataPoints, { aggregationTemporality: 1 })],
    ['a sum of unknown temporality', sum(dataPoints, { aggregationTemporality: 0 })],
    ['a summary', { name: 'm', summary: { dataPoints: [{ count: 1, sum: 1 }] } }],
    ['a delta histogram', { name: 'm', histogram: { aggregationTemporality: 1, dataPoints: [{ count: 1 }] } }],
    ['a sum without points', sum([])],
    ['a metric without data', { name: 'm' }],
  ])('%s', async (_, metric) => {
    const r = rig({ initial_value: 'drop' })
    const payload = payloadOf([metric])
    await r.consume(payload)
    expect(r.sink.payloads[0]).toBe(payload)
    expect(r.context.ledger.entries).toEqual([])
  })
})

describe('the first point of a series', () => {
  test.each([
    ['auto', 'began with the processor', { start: 0 }, 1],
    ['auto', 'began before the processor', { start: -1 }, 0],
    ['auto', 'begins at its own time', { start: 5 }, 0],
    ['auto', 'says not when it began', { startTimeUnixNano: 0 }, 0],
    ['keep', 'began before the processor', { start: -1 }, 1],
    ['keep', 'says not when it began', { startTimeUnixNano: 0 }, 1],
    ['drop', 'began with the processor', { start: 0 }, 0],
  ])('with %s, when it %s', async (initial_value, _, over, kept) => {
    const r = rig({ initial_value })
    await r.send(sum([at(r.began, 5, { asInt: 9, ...over })]))
    await r.send(sum([at(r.began, 6, { asInt: 11, ...over })]))
    expect(deltas(r).map(([value]) => value)).toEqual(kept ? [9, 2] : [2])
    expect(r.context.ledger.total('dropped', 'initial')).toBe(1 - kept)
  })
})

describe('a reset', () => {
  test('with a new start time begins a series', async () => {
    const r = rig()
    await r.send(sum([at(r.began, 1, { asInt: 10 })]))
    await r.send(sum([at(r.began, 3, { asInt: 4, start: 2 })]))
    await r.send(sum([at(r.began, 4, { asInt: 5, start: 2 })]))
    expect(deltas(r)).toEqual([
      [10, 0, 1],
      [4, 2, 3],
      [1, 3, 4],
    ])
  })

  test.each([
    ['drop', [10, 2], 1],
    ['keep', [10, 4, 2], 0],
  ])('without one: %s', async (reset_value, values, dropped) => {
    const r = rig({ reset_value })
    for (const [i, asInt] of [10, 4, 6].entries()) await r.send(sum([at(r.began, i + 1, { asInt })]))
    expect(deltas(r).map(([value]) => value)).toEqual(values)
    expect(r.context.ledger.total('dropped', 'reset')).toBe(dropped)
  })
})

test('points out of order and points sent twice are left out', async () => {
  const r = rig()
  for (const [seconds, asInt] of [
    [1, 10],
    [3, 30],
    [2, 20],
    [3, 30],
    [4, 40],
  ] as const) {
    await r.send(sum([at(r.began, seconds, { asInt })]))
  }
  expect(deltas(r).map(([value]) => value)).toEqual([10, 20, 10])
  expect(r.context.ledger.total('dropped', 'out_of_order')).toBe(2)
  expect(r.sink.calls).toBe(3)
})

test('points without times are taken as they come', async () => {
  const r = rig({ initial_value: 'keep' })
  for (const asInt of [1, 3, 6]) await r.send(sum([{ asInt }]))
  expect(r.metrics().map(metric => Number(metric.sum!.dataPoints![0]!.asInt))).toEqual([1, 2, 3])
})

test('points without a recorded value are left out, what is not a number passes', async () => {
  const r = rig()
  await r.send(sum([at(r.began, 1, { asInt: 5 })]))
  await r.send(sum([at(r.began, 2, { flags: 1 }), at(r.began, 2, { asDouble: Number.NaN, attributes: [] })]))
  await r.send(sum([at(r.began, 3, { asInt: 6 })]))
  expect(deltas(r).map(([value]) => value)).toEqual([5, Number.NaN, 1])
  expect(r.context.ledger.total('dropped', 'no_recorded_value')).toBe(1)
})

describe('a series is', () => {
  const text = (stringValue: string) => ({ stringValue })
  const a = { key: 'a', value: text('1') }
  const b = { key: 'b', value: { intValue: 1 } }

  test('the same whatever the order of attributes, of point and resource', async () => {
    const r = rig()
    await r.consume(payloadOf([sum([at(r.began, 1, { asInt: 5, attributes: [a, b] })])], [a, b]))
    await r.consume(payloadOf([sum([at(r.began, 2, { asInt: 7, attributes: [b, a] })])], [b, a]))
    expect(deltas(r).map(([value]) => value)).toEqual([5, 2])
  })

  test.each<[string, object, object]>([
    ['attribute', { attributes: [a] }, { attributes: [{ key: 'a', value: text('2') }] }],
    [
      'type of attribute',
      { attributes: [{ key: 'b', value: { intValue: 1 } }] },
      { attributes: [{ key: 'b', value: { doubleValue: 1 } }] },
    ],
    ['attribute more', { attributes: [a] }, { attributes: [a, b] }],
    ['start time', { start: 0 }, { start: 1 }],
  ])('another with another %s', async (_, one, other) => {
    const r = rig()
    await r.send(sum([at(r.began, 2, { asInt: 5, ...one }), at(r.began, 2, { asInt: 7, ...other })]))
    await r.send(sum([at(r.began, 3, { asInt: 6, ...one }), at(r.began, 3, { asInt: 9, ...other })]))
    expect(deltas(r).map(([value]) => value)).toEqual([5, 7, 1, 2])
  })

  test('another with another resource, scope, name or unit', async () => {
    const r = rig()
    const metric = (over: object) => ({ ...sum([at(r.began, 2, { asInt: 5 })]), ...over })
    await r.consume(payloadOf([metric({}), metric({ name: 'other' }), metric({ unit: 's' })]))
    await r.consume(payloadOf([metric({})], [a]))
    expect(deltas(r)).toHaveLength(4)
    expect(r.context.meter.value('otelcol_cumulativetodelta_streams_tracked')).toBe(4)
  })
})

describe('selection', () => {
  const names = async (written: object) => {
    const r = rig({ initial_value: 'drop', ...written })
    const named = (name: string): PlainMetric => ({ ...sum([{ asInt: 1 }]), name })
    await r.send(
      named('a.requests'),
      named('b.requests'),
      { ...histogram([{ count: 1 }]), name: 'a.latency' },
      {
        ...exponential([{ count: 1 }]),
        name: 'b.size',
      },
    )
    // What is converted goes, since first points do.
    return r.metrics().map(({ name }) => name)
  }

  test.each([
    ['nothing', {}, []],
    ['strict', { include: { match_type: 'strict', metrics: ['a.requests'] } }, ['b.requests', 'a.latency', 'b.size']],
    ['regexp', { include: { match_type: 'regexp', metrics: ['^a\\.', 'si.e$'] } }, ['b.requests']],
    ['types', { include: { metric_types: ['sum', 'ExponentialHistogram'] } }, ['a.latency']],
    [
      'name and type',
      { include: { match_type: 'regexp', metrics: ['^a'], metric_types: ['sum'] } },
      ['b.requests', 'a.latency', 'b.size'],
    ],
    ['exclude', { exclude: { match_type: 'regexp', metrics: ['requests$'] } }, ['a.requests', 'b.requests']],
    [
      'exclude wins',
      { include: { match_type: 'regexp', metrics: ['.*'] }, exclude: { metric_types: ['histogram'] } },
      ['a.latency'],
    ],
  ])('%s', async (_, written, left) => {
    expect(await names(written)).toEqual(left)
  })
})

test('own metrics count by type and reason', async () => {
  const r = rig()
  await r.send(
    sum([at(r.began, 1, { asInt: 1, start: -1 })]),
    histogram([{ ...at(r.began, 1), count: 1, bucketCounts: [1, 0, 0] }]),
  )
  const { meter } = r.context
  expect(meter.value('otelcol_cumulativetodelta_datapoints', { metric_type: 'histogram' })).toBe(1)
  expect(meter.value('otelcol_cumulativetodelta_datapoints_dropped', { metric_type: 'sum', reason: 'initial' })).toBe(1)
  expect(meter.value('otelcol_cumulativetodelta_streams_tracked')).toBe(2)
  await r.processor.shutdown()
  expect(meter.value('otelcol_cumulativetodelta_streams_tracked')).toBe(0)
})

test('two pipelines have memories of their own', async () => {
  const state = new Map<string, object>()
  for (const pipeline of ['a', 'b']) {
    const context = testContext({ id: 'cumulativetodelta', state, pipelines: [pipeline] })
    const sink = new Sink()
    const config = configure(cumulativeToDeltaConfig, { initial_value: 'drop' })
    const processor = cumulativetodeltaProcessor.create(config, 'metrics', sink, context)
    if (!('consume' in processor)) throw new Error('expected a consumer')
    await processor.consume(someMetrics(3), NO_CONTEXT)
    expect(sink.payloads).toEqual([])
  }
})

describe('a refusal', () => {
  test('takes everything back: the payload is converted to the same when it comes again', async () => {
    const r = rig()
    const first = payloadOf([sum([at(r.began, 1, { asInt: 5 })])])
    const second = payloadOf([sum([at(r.began, 2, { asInt: 7 }), at(r.began, 3, { asInt: 8 })])])
    for (const payload of [first, second]) {
      r.sink.refuse()
      await expect(r.consume(payload)).rejects.toThrow('refuses')
      r.sink.accept()
      await r.consume(payload)
    }
    expect(deltas(r).map(([value]) => value)).toEqual([5, 2, 1])
    expect(r.context.ledger.entries).toEqual([])
  })

  test('that is final leaves its part to the next point', async () => {
    const r = rig()
    await r.send(sum([at(r.began, 1, { asInt: 5 })]))
    r.sink.refuse(new PermanentError('never'))
    await expect(r.send(sum([at(r.began, 2, { asInt: 7 })]))).rejects.toThrow('never')
    r.sink.accept()
    await r.send(sum([at(r.began, 3, { asInt: 8 })]))
    expect(deltas(r)).toEqual([
      [5, 0, 1],
      [3, 1, 3],
    ])
  })

  test('in part is none', async () => {
    const r = rig()
    r.sink.refuse(new PartialError(1, 'one was bad'))
    await expect(r.send(sum([at(r.began, 1, { asInt: 5 })]))).rejects.toThrow('one was bad')
    r.sink.accept()
    await r.send(sum([at(r.began, 2, { asInt: 7 })]))
    expect(deltas(r).map(([value]) => value)).toEqual([2])
  })
})

describe('a series of which nothing comes', () => {
  test('is forgotten, and not counted twice when it comes back', async () => {
    const r = rig({ max_staleness: '1m' })
    await r.processor.start()
    await r.send(sum([at(r.began, 1, { asInt: 5 })]))
    await r.context.fakeClock.advance(121_000)
    expect(r.context.meter.value('otelcol_cumulativetodelta_streams_tracked')).toBe(0)
    await r.send(sum([at(r.began, 122, { asInt: 7 })]))
    await r.send(sum([at(r.began, 123, { asInt: 8 })]))
    expect(deltas(r).map(([value]) => value)).toEqual([5, 1])
    expect(r.context.ledger.total('dropped', 'initial')).toBe(1)
    await r.processor.shutdown()
    expect(r.context.fakeClock.pending).toBe(0)
  })

  test('is forgotten on time, swept or not', async () => {
    const r = rig({ max_staleness: '1m' })
    await r.send(sum([at(r.began, 1, { asInt: 5 })]))
    await r.context.fakeClock.advance(60_001)
    await r.send(sum([at(r.began, 61, { asInt: 7 })]))
    expect(deltas(r).map(([value]) => value)).toEqual([5])
  })

  test('is remembered for ever with 0s', async () => {
    const r = rig({ max_staleness: '0s' })
    await r.processor.start()
    await r.send(sum([at(r.began, 1, { asInt: 5 })]))
    await r.context.fakeClock.advance(1e12)
    await r.send(sum([at(r.began, 2, { asInt: 7 })]))
    expect(deltas(r).map(([value]) => value)).toEqual([5, 2])
  })
})
