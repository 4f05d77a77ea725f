/** Words in a row that are compared. */
const SHINGLE = 3
/** Bands of a fingerprint, and rows of each: texts that share 80 % of their shingles share a band in 99.98 of 100 cases. */
const BANDS = 16
const ROWS = 4
/** Words of a text that are looked at. */
const LONGEST = 4000
/** Shorter texts share shingles by chance. */
export const SHORTEST = 100

/** Hashes of all runs of three words. */
export function shinglesOf(words: readonly string[]): Set<number> {
  const hashes = words.slice(0, LONGEST).map(hashOf)
  const shingles = new Set<number>()
  for (let i = SHINGLE - 1; i < hashes.length; i++) {
    shingles.add(mix(Math.imul(Math.imul(hashes[i - 2]!, 31) + hashes[i - 1]!, 31) + hashes[i]!))
  }
  return shingles
}

/** Share of shingles that two texts have in common, 0 to 1. */
export function jaccard(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  if (large.size === 0) return 0
  let common = 0
  for (const shingle of small) if (large.has(shingle)) common++
  return common / (a.size + b.size - common)
}

/**
 * Signed 32-bit hashes of the bands of a MinHash signature: near-duplicates have one in common, others hardly ever.
 * None for texts of at most {@link SHORTEST} words. Source: A. Broder, On the resemblance and containment of documents.
 */
export function bandsOf(words: readonly string[], shingles = shinglesOf(words)): number[] {
  if (words.length <= SHORTEST) return []
  const least = new Uint32Array(BANDS * ROWS).fill(0xffffffff)
  for (const shingle of shingles) {
    for (let i = 0; i < least.length; i++) {
      const hash = (Math.imul(shingle, MULTIPLIERS[i]!) + ADDENDS[i]!) >>> 0
      if (hash < least[i]!) least[i] = hash
    }
  }
  return Array.from({ length: BANDS }, (_, band) => {
    let hash = band + 1
    for (let row = 0; row < ROWS; row++) hash = mix(Math.imul(hash, 31) + least[band * ROWS + row]!)
    return hash | 0
  })
}

/** Odd multipliers and addends, one a hash function; fixed, because fingerprints are kept. */
const MULTIPLIERS = Uint32Array.from({ length: BANDS * ROWS }, (_, i) => mix(2 * i + 1) | 1)
const ADDENDS = Uint32Array.from({ length: BANDS * ROWS }, (_, i) => mix(0x9e3779b9 * (i + 1)))

/** A band of its own for an address, so that topics under the same one are found with the others. */
export function addressBand(address: string): number {
  return mix(hashOf(address)) | 0
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  return hash
}

/** MurmurHash3's finalizer. */
function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
