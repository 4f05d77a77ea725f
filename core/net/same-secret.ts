import { createHash, timingSafeEqual } from 'node:crypto'

/** What stands for a secret in comparisons: 32 bytes, whatever its length. */
export function secretDigest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Whether two digests are equal; takes as long wherever they differ. */
export function sameDigest(one: Buffer, other: Buffer): boolean {
  return timingSafeEqual(one, other)
}
