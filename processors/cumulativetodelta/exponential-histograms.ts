import type { ExponentialBuckets } from '#core/data'
import type { Accumulation } from './accumulation.ts'
import { bucketsSince, coarsen, trim } from './exponential-buckets.ts'
import { knownSum, sumSince } from './histograms.ts'

/** An exponential histogram. `sum` is absent when it is not known. */
export interface ExponentialHistogram {
  readonly count: bigint
  readonly sum: number | undefined
  readonly zeroCount: bigint
  readonly zeroThreshold: number
  readonly scale: number
  readonly positive: ExponentialBuckets
  readonly negative: ExponentialBuckets
}

/**
 * Exponential histograms. A source may coarsen its buckets (scale falls) or widen the one around zero while it goes on;
 * what is remembered is then brought to the same form first. The other way round means that it began again.
 * Source: https://opentelemetry.io/docs/specs/otel/metrics/data-model/#exponentialhistogram
 */
export const exponentialHistograms: Accumulation<ExponentialHistogram> = {
  read({ count, sum, zeroCount, zeroThreshold, scale, positive, negative }) {
    const threshold = zeroThreshold > 0 && Number.isFinite(zeroThreshold) ? zeroThreshold : 0
    return { count: count!, sum: knownSum(sum), zeroCount, zeroThreshold: threshold, scale, positive, negative }
  },
  since(now, earlier) {
    const { count, scale, zeroThreshold } = now
    if (count < earlier.count || zeroThreshold < earlier.zeroThreshold || scale > earlier.scale) return 'reset'
    const before = coarsened(widened(earlier, zeroThreshold), scale)
    const positive = bucketsSince(now.positive, before.positive)
    const negative = bucketsSince(now.negative, before.negative)
    const zeroCount = now.zeroCount - before.zeroCount
    if (positive === undefined || negative === undefined || zeroCount < 0n) return 'reset'
    const sum = sumSince(now.sum, before.sum)
    return { count: count - before.count, sum, zeroCount, zeroThreshold, scale, positive, negative }
  },
  write(point, { count, sum, zeroCount, positive, negative }) {
    point.count = count
    point.sum = sum
    point.zeroCount = zeroCount
    point.positive = positive
    point.negative = negative
    point.min = undefined
    point.max = undefined
  },
  remember: (now, before) => (now.sum === undefined ? { ...now, sum: before.sum } : now),
}

/** With a wider bucket around zero: it takes in those that begin below the threshold. */
function widened(histogram: ExponentialHistogram, zeroThreshold: number): ExponentialHistogram {
  if (zeroThreshold === histogram.zeroThreshold) return histogram
  // No source has scales beyond 20; what came over the wire may be anything.
  const scale = Math.min(Math.max(histogram.scale, -1000), 1000)
  const last = Math.ceil(Math.log2(zeroThreshold) * 2 ** scale) - 1
  const positive = trim(histogram.positive, last)
  const negative = trim(histogram.negative, last)
  const zeroCount = histogram.zeroCount + positive.gone + negative.gone
  return { ...histogram, zeroThreshold, zeroCount, positive: positive.rest, negative: negative.rest }
}

function coarsened(histogram: ExponentialHistogram, scale: number): ExponentialHistogram {
  const bits = histogram.scale - scale
  const { positive, negative } = histogram
  return { ...histogram, scale, positive: coarsen(positive, bits), negative: coarsen(negative, bits) }
}
