import { createHash } from 'node:crypto'
import { sameDigest, secretDigest } from '#core/net'

/** What a line of an htpasswd file keeps of a password. */
export interface PasswordHash {
  readonly scheme: 'bcrypt' | 'md5' | 'sha-crypt' | 'sha' | 'ssha' | 'plain'
  readonly text: string
}

const SCHEMES: readonly (readonly [PasswordHash['scheme'], RegExp])[] = [
  ['bcrypt', /^\$2[aby]?\$(?:0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/],
  ['md5', /^\$(?:apr1|1)\$[^$]{0,8}\$[./A-Za-z0-9]{22}$/],
  ['sha-crypt', /^\$5\$(?:rounds=\d{1,9}\$)?[^$]{0,16}\$[./A-Za-z0-9]{43}$/],
  ['sha-crypt', /^\$6\$(?:rounds=\d{1,9}\$)?[^$]{0,16}\$[./A-Za-z0-9]{86}$/],
  ['sha', /^\{SHA\}[A-Za-z0-9+/]{27}=$/],
  ['ssha', /^\{SSHA\}[A-Za-z0-9+/]+={0,2}$/],
  // Whatever else looks like a hash is one that is not known, and no password.
  ['plain', /^(?!\$[\da-z-]+\$|\{[A-Z\d-]+\}).+$/s],
]

/** Recognizes a hash, or a password as it is; `undefined` for a hash of an unknown kind. */
export function recognize(text: string): PasswordHash | undefined {
  const scheme = SCHEMES.find(([, pattern]) => pattern.test(text))?.[0]
  return scheme === undefined ? undefined : { scheme, text }
}

/** Whether checking a password against this hash takes milliseconds, as it is meant to: `slowly-matches.ts` does it. */
export function isSlow({ scheme }: PasswordHash): boolean {
  return scheme === 'bcrypt' || scheme === 'md5' || scheme === 'sha-crypt'
}

/** Whether `password` is the one that was hashed; for hashes that are not slow. */
export function matches({ scheme, text }: PasswordHash, password: string): boolean {
  switch (scheme) {
    case 'sha':
      return same(createHash('sha1').update(password).digest('base64'), text.slice('{SHA}'.length))
    case 'ssha': {
      const bytes = Buffer.from(text.slice('{SSHA}'.length), 'base64')
      const hash = createHash('sha1').update(password).update(bytes.subarray(20)).digest('base64')
      return same(hash, bytes.subarray(0, 20).toString('base64'))
    }
    case 'plain':
      return same(password, text)
    default:
      throw new Error(`A hash of the kind ${scheme} is slow to check`)
  }
}

function same(one: string, other: string): boolean {
  return sameDigest(secretDigest(one), secretDigest(other))
}
