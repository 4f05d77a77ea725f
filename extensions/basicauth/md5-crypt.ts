import { createHash } from 'node:crypto'
import { encodeCrypt } from './crypt-alphabet.ts'

const ROUNDS = 1000
const ORDER = [[0, 6, 12], [1, 7, 13], [2, 8, 14], [3, 9, 15], [4, 10, 5], [11]]

/**
 * The MD5 crypt of Apache (`$apr1$`) and of FreeBSD (`$1$`), which differ in their magic word only.
 * @param salt at most eight characters
 * @returns the hash alone, without magic and salt
 */
export function md5Crypt(password: string, magic: '$apr1$' | '$1$', salt: string): string {
  const word = Buffer.from(password)
  const md5 = (...parts: (Buffer | string)[]) => {
    const hash = createHash('md5')
    for (const part of parts) hash.update(part)
    return hash.digest()
  }
  const twice = md5(word, salt, word)
  const first: (Buffer | string)[] = [word, magic, salt]
  for (let left = word.length; left > 0; left -= 16) first.push(twice.subarray(0, Math.min(16, left)))
  for (let bits = word.length; bits > 0; bits >>>= 1) first.push(bits & 1 ? Buffer.of(0) : word.subarray(0, 1))
  let digest = md5(...first)
  for (let round = 0; round < ROUNDS; round++) {
    digest = md5(
      round & 1 ? word : digest,
      round % 3 === 0 ? '' : salt,
      round % 7 === 0 ? '' : word,
      round & 1 ? digest : word,
    )
  }
  return encodeCrypt(digest, ORDER)
}
