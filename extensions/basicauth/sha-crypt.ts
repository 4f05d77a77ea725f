import { createHash } from 'node:crypto'
import { encodeCrypt } from './crypt-alphabet.ts'

/** Rounds when a hash names none, and the limits of those it may name. */
const ROUNDS = 5000
const FEWEST = 1000
const MOST = 999_999_999
const SALT = 16

/**
 * The SHA crypt of glibc, `$5$` (SHA-256) and `$6$` (SHA-512), by the specification of Ulrich Drepper.
 * @param rounds `undefined` for the default
 * @returns the hash alone, without magic, rounds and salt
 */
export function shaCrypt(password: string, algorithm: 'sha256' | 'sha512', salt: string, rounds?: number): string {
  const word = Buffer.from(password)
  const grain = Buffer.from(salt).subarray(0, SALT)
  const digestOf = (...parts: readonly Buffer[]) => {
    const hash = createHash(algorithm)
    for (const part of parts) hash.update(part)
    return hash.digest()
  }
  const twice = digestOf(word, grain, word)
  const first = [word, grain, stretch(twice, word.length)]
  for (let bits = word.length; bits > 0; bits >>>= 1) first.push(bits & 1 ? twice : word)
  let digest = digestOf(...first)
  const p = stretch(digestOf(...Array.from({ length: word.length }, () => word)), word.length)
  const s = stretch(digestOf(...Array.from({ length: 16 + digest[0]! }, () => grain)), grain.length)
  const last = Math.min(MOST, Math.max(FEWEST, rounds ?? ROUNDS))
  for (let round = 0; round < last; round++) {
    const hash = createHash(algorithm)
    hash.update(round & 1 ? p : digest)
    if (round % 3 !== 0) hash.update(s)
    if (round % 7 !== 0) hash.update(p)
    digest = hash.update(round & 1 ? digest : p).digest()
  }
  return encodeCrypt(digest, algorithm === 'sha256' ? ORDER_256 : ORDER_512)
}

/** `digest` repeated and cut to `length` bytes. */
function stretch(digest: Buffer, length: number): Buffer {
  return Buffer.alloc(length, digest)
}

const ORDER_256 = [...turning(10, [0, 10, 20], 2), [31, 30]]
const ORDER_512 = [...turning(21, [0, 21, 42], 1), [63]]

/** Groups of three bytes, of which each is the former one a byte on and turned by `turn` places. */
function turning(groups: number, start: readonly number[], turn: number): readonly (readonly number[])[] {
  return Array.from({ length: groups }, (_, i) => start.map((_unused, at) => start[(at + i * turn) % 3]! + i))
}
