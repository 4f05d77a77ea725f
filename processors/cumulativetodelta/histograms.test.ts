import { describe, expect, test } from 'vitest'
import { exponential, histogram, rig, SECOND } from './rig.test-support.ts'

type Rig = ReturnType<typeof rig>

/** A point `seconds` after the processor began, of a series that began with it. */
const at = ({ began }: Rig, seconds: number, over: object) => ({
  startTimeUnixNano: began,
  timeUnixNano: began + BigInt(seconds) * SECOND,
  ...over,
})

const histogramPoints = (r: Rig) => r.metrics().flatMap(({ histogram }) => histogram?.dataPoints ?? [])
const exponentialPoints = (r: Rig) => r.metrics().flatMap(metric => metric.exponentialHistogram?.dataPoints ?? [])

describe('a histogram', () => {
  async function sent(written: object, ...points: object[]) {
    const r = rig(written)
    for (const [i, point] of points.entries()) await r.send(histogram([at(r, i + 1, point)]))
    return r
  }

  test('says what came since, without minimum and maximum', async () => {
    const r = await sent(
      {},
      { count: 3, sum: 4.5, min: 0.5, max: 2.5, bucketCounts: [1, 1, 1] },
      { count: 5, sum: 6, min: 0.5, max: 2.5, bucketCounts: [2, 2, 1] },
      { count: 5, sum: 6, min: 0.5, max: 2.5, bucketCounts: [2, 2, 1] },
    )
    const [first, second, third] = histogramPoints(r)
    expect(first).toMatchObject({ count: '3', sum: 4.5, min: 0.5, bucketCounts: ['1', '1', '1'] })
    expect(second).toMatchObject({ count: '2', sum: 1.5, bucketCounts: ['1', '1', '0'], explicitBounds: [1, 2] })
    expect(second).not.toHaveProperty('min')
    expect(second).not.toHaveProperty('max')
    expect(third).toMatchObject({ sum: 0, bucketCounts: ['0', '0', '0'] })
    expect(r.metrics().map(metric => metric.histogram?.aggregationTemporality)).toEqual([1, 1, 1])
  })

  test.each([
    ['the count has fallen', { count: 2, sum: 1, bucketCounts: [2, 0, 0] }, 'reset'],
    ['a bucket has fallen', { count: 9, sum: 9, bucketCounts: [9, 0, 0] }, 'reset'],
    ['bounds have changed', { count: 9, sum: 9, bucketCounts: [3, 3, 3], explicitBounds: [1, 3] }, 'bucket_mismatch'],
    [
      'there are more buckets',
      { count: 9, sum: 9, bucketCounts: [3, 3, 2, 1], explicitBounds: [1, 2, 3] },
      'bucket_mismatch',
    ],
  ])('is left out and remembered when %s', async (_, second, reason) => {
    const third = {
      ...second,
      count: second.count + 1,
      bucketCounts: second.bucketCounts.with(0, second.bucketCounts[0]! + 1),
    }
    const r = await sent({}, { count: 4, sum: 4, bucketCounts: [2, 1, 1] }, second, third)
    expect(r.context.ledger.entries).toEqual([{ what: 'dropped', signal: 'metrics', items: 1, reason }])
    const [, after] = histogramPoints(r)
    expect(after).toMatchObject({ count: '1' })
    expect(after!.bucketCounts![0]).toBe('1')
  })

  test('passes on a reset when that is asked for', async () => {
    const r = await sent(
      { reset_value: 'keep' },
      { count: 4, sum: 4, bucketCounts: [2, 1, 1] },
      { count: 2, sum: 1, max: 1, bucketCounts: [2, 0, 0] },
    )
    expect(histogramPoints(r)[1]).toMatchObject({ count: '2', sum: 1, bucketCounts: ['2', '0', '0'] })
  })

  test('without a sum has differences without one; an unknown one is made up for later', async () => {
    const r = await sent(
      {},
      { count: 1, bucketCounts: [1, 0, 0] },
      { count: 2, bucketCounts: [2, 0, 0], sum: 3 },
      { count: 3, bucketCounts: [3, 0, 0], sum: Number.NaN },
      { count: 4, bucketCounts: [4, 0, 0], sum: 7 },
    )
    expect(histogramPoints(r).map(({ sum }) => sum)).toEqual([undefined, undefined, undefined, 4])
  })

  test('may have no buckets', async () => {
    const r = await sent({}, { count: 1, sum: 1, explicitBounds: [] }, { count: 3, sum: 5, explicitBounds: [] })
    expect(histogramPoints(r)[1]).toMatchObject({ count: '2', sum: 4 })
  })
})

describe('an exponential histogram', () => {
  async function sent(...points: object[]) {
    const r = rig()
    for (const [i, point] of points.entries()) await r.send(exponential([at(r, i + 1, point)]))
    return r
  }
  const buckets = (offset: number, ...bucketCounts: number[]) => ({ offset, bucketCounts })

  test('says what came since, in as few buckets as there are', async () => {
    const r = await sent(
      {
        count: 4,
        sum: 10,
        scale: 2,
        zeroCount: 1,
        min: 0,
        max: 9,
        positive: buckets(3, 1, 1),
        negative: buckets(-2, 1),
      },
      {
        count: 9,
        sum: 15,
        scale: 2,
        zeroCount: 2,
        min: 0,
        max: 9,
        positive: buckets(2, 0, 1, 3, 0, 1),
        negative: buckets(-2, 2),
      },
    )
    const [, point] = exponentialPoints(r)
    expect(point).toMatchObject({ count: '5', sum: 5, zeroCount: '1', scale: 2 })
    expect(point!.positive).toEqual({ offset: 4, bucketCounts: ['2', '0', '1'] })
    expect(point!.negative).toEqual({ offset: -2, bucketCounts: ['1'] })
    expect(point).not.toHaveProperty('min')
    expect(r.metrics()[1]!.exponentialHistogram!.aggregationTemporality).toBe(1)
  })

  test('follows its source to a coarser scale', async () => {
    const r = await sent(
      { count: 6, sum: 6, scale: 1, positive: buckets(-1, 1, 2, 3) },
      { count: 9, sum: 9, scale: 0, positive: buckets(-1, 1, 6, 2) },
    )
    // Indexes -1, 0, 1 of scale 1 are -1, 0, 0 of scale 0.
    expect(exponentialPoints(r)[1]!.positive).toEqual({ bucketCounts: ['1', '2'] })
  })

  test('follows its source to a wider zero bucket', async () => {
    const r = await sent(
      { count: 6, sum: 6, scale: 0, zeroCount: 1, positive: buckets(-3, 1, 1, 0, 3) },
      { count: 7, sum: 7, scale: 0, zeroCount: 4, zeroThreshold: 0.5, positive: buckets(-1, 0, 3) },
    )
    // (1/8, 1/4] and (1/4, 1/2] lie below the threshold of 1/2.
    expect(exponentialPoints(r)[1]).toMatchObject({ count: '1', zeroCount: '1' })
    expect(exponentialPoints(r)[1]!.positive?.bucketCounts ?? []).toEqual([])
  })

  test.each([
    ['the count has fallen', { count: 2, scale: 1, positive: buckets(0, 2) }],
    ['the scale is finer', { count: 9, scale: 2, positive: buckets(0, 9) }],
    ['a bucket has fallen', { count: 9, scale: 1, positive: buckets(0, 3, 6) }],
    ['a bucket is gone', { count: 9, scale: 1, positive: buckets(1, 9) }],
    ['the zero bucket has fallen', { count: 9, scale: 1, zeroCount: 0, positive: buckets(0, 9) }],
  ])('is left out and remembered when %s', async (_, second) => {
    const third = { ...second, count: second.count + 1, zeroCount: 1 }
    const r = await sent(
      { count: 5, scale: 1, zeroCount: 1, positive: buckets(0, 4) },
      { zeroCount: 0, ...second },
      third,
    )
    expect(r.context.ledger.total('dropped', 'reset')).toBe(1)
    expect(exponentialPoints(r)[1]).toMatchObject({ count: '1', zeroCount: '1' })
  })
})
