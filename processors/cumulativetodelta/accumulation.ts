import type { DataPoint } from '#core/data'

/** Why a difference cannot be told: the source began again, or the two have different buckets. */
export type NoDifference = 'reset' | 'bucket_mismatch'

/** How one type of data point adds up. Values are immutable. */
export interface Accumulation<V> {
  /** What the point says, `undefined` when that is no number to reckon with. */
  read(point: DataPoint): V | undefined
  /** What came after `before` up to `now`. */
  since(now: V, before: V): V | NoDifference
  /** Makes the point say a difference. */
  write(point: DataPoint, difference: V): void
  /** What is to be remembered of `now`: what it leaves open is still as it was `before`. */
  remember(now: V, before: V): V
}

/** Whether there is a difference. */
export function isDifference<V>(found: V | NoDifference): found is V {
  return typeof found !== 'string'
}
