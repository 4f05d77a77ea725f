import type { ExponentialBuckets } from '#core/data'

const NONE: ExponentialBuckets = { offset: 0, bucketCounts: [] }

/** The same observations in buckets 2^`bits` times as wide on the logarithmic scale: index i becomes i / 2^`bits`, rounded down. */
export function coarsen({ offset, bucketCounts }: ExponentialBuckets, bits: number): ExponentialBuckets {
  if (bucketCounts.length === 0) return NONE
  if (bits === 0) return { offset, bucketCounts }
  // Beyond 32 bits only the sign of an index is left; no shift, since an offset and a length may exceed 32 bits.
  const width = 2 ** Math.min(bits, 32)
  const first = Math.floor(offset / width)
  const last = Math.floor((offset + bucketCounts.length - 1) / width)
  const coarse = new Array<bigint>(last - first + 1).fill(0n)
  bucketCounts.forEach((count, i) => {
    coarse[Math.floor((offset + i) / width) - first]! += count
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
