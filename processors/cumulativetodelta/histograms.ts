import type { Accumulation } from './accumulation.ts'

/** A histogram with explicit bounds. `sum` is absent when it is not known. */
export interface Histogram {
  readonly count: bigint
  readonly sum: number | undefined
  readonly bounds: Float64Array
  readonly counts: BigUint64Array
}

/** Histograms with explicit bounds. Differences have no `min` and `max`: those of the whole life say nothing about a part. */
export const histograms: Accumulation<Histogram> = {
  read({ count, sum, explicitBounds, bucketCounts }) {
    return {
      count: count!,
      sum: knownSum(sum),
      bounds: Float64Array.from(explicitBounds),
      counts: BigUint64Array.from(bucketCounts),
    }
  },
  since(now, before) {
    if (!sameBuckets(now, before)) return 'bucket_mismatch'
    if (now.count < before.count) return 'reset'
    const counts = new BigUint64Array(now.counts.length)
    for (let i = 0; i < counts.length; i++) {
      if (now.counts[i]! < before.counts[i]!) return 'reset'
      counts[i] = now.counts[i]! - before.counts[i]!
    }
    return { count: now.count - before.count, sum: sumSince(now.sum, before.sum), bounds: now.bounds, counts }
  },
  write(point, { count, sum, counts }) {
    point.count = count
    point.sum = sum
    point.bucketCounts = [...counts]
    point.min = undefined
    point.max = undefined
  },
  remember: (now, before) => (now.sum === undefined ? { ...now, sum: before.sum } : now),
}

function sameBuckets(a: Histogram, b: Histogram): boolean {
  if (a.counts.length !== b.counts.length || a.bounds.length !== b.bounds.length) return false
  return a.bounds.every((bound, i) => bound === b.bounds[i])
}

/** A sum of observations, which is left out where some were negative, and says nothing where one was not a number. */
export function knownSum(sum: number | undefined): number | undefined {
  return sum === undefined || Number.isFinite(sum) ? sum : undefined
}

export function sumSince(now: number | undefined, before: number | undefined): number | undefined {
  return now === undefined || before === undefined ? undefined : now - before
}
