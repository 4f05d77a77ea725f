import type { BucketsJson, ExponentialPointJson } from './otlp-json.ts'

/** One bucket of an exponential histogram by the absolute values of its bounds. */
export interface Bucket {
  readonly lower: number
  readonly upper: number
  readonly count: string
}

/** The buckets of a side, nearest to zero first. Bounds are powers of `2 ** (2 ** -scale)`. */
export function bucketsOf(point: ExponentialPointJson, side: BucketsJson | undefined): Bucket[] {
  const factor = Math.LN2 * 2 ** -(point.scale ?? 0)
  const offset = side?.offset ?? 0
  return (side?.bucketCounts ?? []).map((count, i) => ({
    lower: Math.exp((offset + i) * factor),
    upper: Math.exp((offset + i + 1) * factor),
    count,
  }))
}
