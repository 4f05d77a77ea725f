import { expect, test } from 'vitest'
import { isSlow, type PasswordHash, matches as quicklyMatches, recognize } from './password-hash.ts'
import { slowlyMatches } from './slowly-matches.ts'

function matches(hash: PasswordHash, password: string): boolean {
  return isSlow(hash) ? slowlyMatches({ hash, password }) : quicklyMatches(hash, password)
}

const PASSWORD = 'correct horse'
const UNICODE = 'häßlich 🎈'
const LONG = 'x'.repeat(100)

// Made by libcrypt and by `openssl passwd`.
const HASHES: [scheme: string, password: string, text: string][] = [
  ['bcrypt', PASSWORD, '$2b$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e'],
  ['bcrypt', PASSWORD, '$2y$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e'],
  ['bcrypt', PASSWORD, '$2a$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e'],
  ['bcrypt', UNICODE, '$2y$04$abcdefghijklmnopqrstuuGtbKOTt/sakBNYpOFHDa5Hqea5zBHKm'],
  ['md5', PASSWORD, '$apr1$abcdefgh$sIQmFnT1CuEXAsyjuXjUX/'],
  ['md5', UNICODE, '$apr1$abcdefgh$VDO0OtmzcRNzPhmgz2TpR/'],
  ['md5', LONG, '$apr1$abcdefgh$9/cwT0JwksL/fA2yBHBE6/'],
  ['md5', '', '$apr1$ab$S8K6Sgp3W8c9Jb6LxgywZ.'],
  ['md5', PASSWORD, '$1$abcdefgh$y6iHhJNbuC0xpbk0w9pm80'],
  ['md5', UNICODE, '$1$abcdefgh$A9mrz5Vb.I6Z3dz/OzqmW/'],
  ['sha-crypt', PASSWORD, '$5$abcdefgh$ruMep1ijHnJPZbETDNiumskxcX3kN4lzZd5VlsqE7eB'],
  ['sha-crypt', UNICODE, '$5$abcdefgh$vBlxVpZT2IOLfEEWKj5H9a7WZTNTjFzUgiEkQEeKJh7'],
  ['sha-crypt', LONG, '$5$abcdefgh$.wvAZFRM3qcOyii0UxLpCnmG9xkhWx4Yxd4UqvBYIa7'],
  ['sha-crypt', PASSWORD, '$5$rounds=1000$saltsalt$R6e4P8ccT9iMqkYg7Z8YtpId/lfsIfnuPkp8WXposU8'],
  [
    'sha-crypt',
    PASSWORD,
    '$6$abcdefgh$yIZAF3gQPvtKZO/9qOJKffAKKbtS3ef3qmwyugk4uWVjX8YZf/GV3A8SkFxEPY0T56CcilGrHKLffBsp6dLMG.',
  ],
  [
    'sha-crypt',
    LONG,
    '$6$abcdefgh$TtI8Nf3XUr2hnuBuhqT5oHncObLx.L79LpqMrqeqTFOCP6JmkErg7tHQlmKe6Gt18.7w11o0VZEekyNxE9KjC1',
  ],
  [
    'sha-crypt',
    UNICODE,
    '$6$rounds=1000$saltsalt$pwn7t/KLaIPXEyrxLpXXfpqjtLSwyyjkhqSbXienF0ZvICvVgN9jr9QLyFYaL/C7OEjRxl/vZ3wmX0RRx4AbZ.',
  ],
  ['sha', PASSWORD, '{SHA}L55TUjtiq8FBorTWAZ0jy6g129A='],
  ['ssha', PASSWORD, '{SSHA}LhKrkM9Fy+zlstjdD7Kv2s6QvhBzYWx0'],
  ['plain', PASSWORD, PASSWORD],
  ['plain', '$ecret', '$ecret'],
  ['plain', UNICODE, UNICODE],
]

test.each(HASHES)('%s: %j matches %s', (scheme, password, text) => {
  const hash = recognize(text)!
  expect(hash).toEqual({ scheme, text })
  expect(matches(hash, password)).toBe(true)
  expect(matches(hash, `${password}!`)).toBe(false)
  expect(matches(hash, password.slice(1) || 'x')).toBe(false)
})

test.each([
  ['a broken bcrypt hash', '$2y$04$short'],
  ['another bcrypt', '$2x$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e'],
  ['yescrypt', '$y$j9T$abc$def'],
  ['argon2', '$argon2id$v=19$m=65536,t=2,p=1$c2FsdA$aGFzaA'],
  ['an LDAP scheme', '{CRYPT}abcdefg'],
  ['nothing', ''],
])('%s is no password', (_, text) => {
  expect(recognize(text)).toBeUndefined()
})
