import { STOP_WORDS, wordsOf } from './words.ts'

/** What vectors of {@link hashedEmbedding} are called: another way of making them gets another name. */
export const HASHED_MODEL = 'hashing-v1'

/** Words, pairs of neighbours, and pieces of words, which let `sampling` meet `sampler`. */
const WEIGHTS = { word: 1, pair: 0.5, piece: 0.35 } as const
const SEEDS = { word: 0x1b873593, pair: 0x5bd1e995, piece: 0x27d4eb2f } as const
const PIECE_LENGTH = 4

/**
 * A unit vector that says which words a text has: words, pairs of neighbours and pieces of four letters, hashed into
 * `dimensions` places with a sign, weighted by the logarithm of how often they occur. Near-duplicates come near each
 * other, and texts with the same words; the same meaning in other words does not. A text without words is all zeros.
 */
export function hashedEmbedding(text: string, dimensions: number): Float32Array {
  const words = wordsOf(text).filter(word => !STOP_WORDS.has(word))
  const hashes = words.map(word => hashOf(word, 0, word.length))
  const vector = new Float32Array(dimensions)
  const pairs = hashes.slice(1).map((hash, i) => (Math.imul(hashes[i]!, 31) + hash) | 0)
  add(vector, hashes, 'word')
  add(vector, pairs, 'pair')
  add(vector, words.flatMap(pieces), 'piece')
  return normalized(vector)
}

/** The vector at unit length, in place; all zeros stay so. */
export function normalized(vector: Float32Array): Float32Array {
  let squares = 0
  for (const value of vector) squares += value * value
  if (squares === 0) return vector
  const length = Math.sqrt(squares)
  for (let i = 0; i < vector.length; i++) vector[i]! /= length
  return vector
}

function add(vector: Float32Array, features: readonly number[], kind: keyof typeof WEIGHTS): void {
  const counts = new Map<number, number>()
  for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1)
  for (const [feature, count] of counts) {
    const hash = mix(feature ^ SEEDS[kind])
    const sign = hash & 1 ? 1 : -1
    vector[(hash >>> 1) % vector.length]! += sign * WEIGHTS[kind] * Math.log2(1 + count)
  }
}

function pieces(word: string): number[] {
  if (word.length <= PIECE_LENGTH) return []
  return Array.from({ length: word.length - PIECE_LENGTH + 1 }, (_, i) => hashOf(word, i, i + PIECE_LENGTH))
}

/** FNV-1a over UTF-16 code units. */
function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}

/** MurmurHash3's finalizer: every bit of the result depends on every bit of the hash. */
function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
