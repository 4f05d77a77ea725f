import type { ExponentialBuckets } from '#core/data'

const NONE: ExponentialBuckets = { offset: 0, bucketCounts: [] }

/** The same observations in buckets 2^`bits` times as wide on the logarithmic scale: index i becomes i >> bits. */
export function coarsen({ offset, bucketCounts }: ExponentialBuckets, bits: number): ExponentialBuckets {
  if (bits === 0 || bucketCounts.length === 0) return { offset: bucketCounts.length === 0 ? 0 : offset, bucketCounts }
  const shift = Math.min(bits, 31)
  const first = offset >> shift
  const last = (offset + bucketCounts.length - 1) >> shift
  const coarse = new Array<bigint>(last - first + 1).fill(0n)
  bucketCounts.forEach((count, i) => {
    coarse[((offset + i) >> shift) - first]! += count
  })
  return { offset: first, bucketCounts: coarse }
}

/** Takes away the buckets up to and including index `last`; returns the rest and how many observations went. */
export function trim(
  { offset, bucketCounts }: ExponentialBuckets,
  last: number,
): { readonly rest: ExponentialBuckets; readonly gone: bigint } {
  const trimmed = Math.min(Math.max(last - offset + 1, 0), bucketCounts.length)
  const gone = bucketCounts.slice(0, trimmed).reduce((sum, count) => sum + count, 0n)
  return { rest: { offset: offset + trimmed, bucketCounts: bucketCounts.slice(trimmed) }, gone }
}

/** What came after `before` up to `now`, both of one scale; `undefined` when a bucket holds less than it did. */
export function bucketsSince(now: ExponentialBuckets, before: ExponentialBuckets): ExponentialBuckets | undefined {
  const end = now.offset + now.bucketCounts.length
  for (const [i, count] of before.bucketCounts.entries()) {
    const index = before.offset + i
    if (count > 0n && (index < now.offset || index >= end)) return undefined
  }
  const rest: bigint[] = []
  for (const [i, count] of now.bucketCounts.entries()) {
    const difference = count - (before.bucketCounts[now.offset + i - before.offset] ?? 0n)
    if (difference < 0n) return undefined
    rest.push(difference)
  }
  const first = rest.findIndex(count => count > 0n)
  if (first < 0) return NONE
  const last = rest.findLastIndex(count => count > 0n)
  return { offset: now.offset + first, bucketCounts: rest.slice(first, last + 1) }
}
