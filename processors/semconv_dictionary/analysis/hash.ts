/** Register: the lower half of the hash that {@link hashBytes} last made; its upper half was returned. */
export let hashLow = 0

/**
 * A 64-bit hash of the bytes `[start, end)`: two 32-bit lanes over the same words. `seed` is secret and differs from
 * store to store, so that nobody can look up values by their hashes, or choose values that collide.
 * @returns the upper half; the lower one is in {@link hashLow}, to be read at once
 */
export function hashBytes(b: Buffer, v: DataView, start: number, end: number, seed: number): number {
  let x = seed ^ (end - start)
  let y = (seed ^ 0x5bd1e995) + (end - start)
  let p = start
  for (const last = end - 4; p <= last; p += 4) {
    const word = v.getInt32(p)
    x = Math.imul(x ^ word, 0x9e3779b1)
    x ^= x >>> 15
    y = Math.imul(y ^ Math.imul(word, 0x85ebca6b), 0xc2b2ae35)
    y ^= y >>> 13
  }
  if (p < end) {
    let word = end - p
    for (; p < end; p++) word = (word << 8) | b[p]!
    x = Math.imul(x ^ word, 0x9e3779b1)
    x ^= x >>> 15
    y = Math.imul(y ^ Math.imul(word, 0x85ebca6b), 0xc2b2ae35)
    y ^= y >>> 13
  }
  hashLow = avalanche(y ^ (x >>> 7))
  return avalanche(x ^ Math.imul(y, 0x27d4eb2f))
}

/** Spreads every bit of a word over all of it (the finaliser of MurmurHash3). */
export function avalanche(word: number): number {
  let h = word
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
