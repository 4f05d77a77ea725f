import { timingSafeEqual } from 'node:crypto'
import { compareSync } from 'bcryptjs'
import { md5Crypt } from './md5-crypt.ts'
import type { PasswordHash } from './password-hash.ts'
import { shaCrypt } from './sha-crypt.ts'

/** What a worker thread is asked. */
export interface MatchingTask {
  readonly hash: PasswordHash
  readonly password: string
}

/**
 * Whether `password` is the one that was hashed; for slow hashes. Runs in a worker thread: it takes up to the better part
 * of a tenth of a second.
 */
export function slowlyMatches({ hash: { scheme, text }, password }: MatchingTask): boolean {
  if (scheme === 'bcrypt') return compareSync(password, text)
  if (scheme === 'md5') {
    const [, magic, salt, hash] = text.split('$') as [string, string, string, string]
    return same(md5Crypt(password, magic === '1' ? '$1$' : '$apr1$', salt), hash)
  }
  const [, magic, rounds, salt, hash] = /^\$([56])\$(?:rounds=(\d+)\$)?([^$]*)\$(.+)$/.exec(text)!
  const algorithm = magic === '5' ? 'sha256' : 'sha512'
  return same(shaCrypt(password, algorithm, salt!, rounds === undefined ? undefined : Number(rounds)), hash!)
}

/** Of texts of one length, as hashes of one kind are. */
function same(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
