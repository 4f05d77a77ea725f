import { parseCookie } from 'undici'
import { expect, test } from 'vitest'
import { CookieJar } from './cookie-jar.ts'

const NOW = Date.UTC(2026, 0, 1)
const sent = (cookies: readonly string[], to: string, from = 'https://api.example.com/v1/traces', now = NOW) => {
  const jar = new CookieJar(parseCookie)
  jar.store(new URL(from), cookies, NOW)
  return jar.header(new URL(to), now)
}

test.each<[string, readonly string[], string, string | undefined]>([
  ['to the same place', ['a=1'], 'https://api.example.com/v1/logs', 'a=1'],
  ['not above its directory', ['a=1'], 'https://api.example.com/', undefined],
  ['everywhere below its path', ['a=1; Path=/'], 'https://api.example.com/x', 'a=1'],
  ['not to a path that only begins alike', ['a=1; Path=/v1'], 'https://api.example.com/v10', undefined],
  ['to its own host only', ['a=1; Path=/'], 'https://www.api.example.com/', undefined],
  ['to its whole domain', ['a=1; Path=/; Domain=.example.com'], 'https://www.example.com/', 'a=1'],
  ['not for a foreign domain', ['a=1; Path=/; Domain=example.org'], 'https://example.org/', undefined],
  ['secure ones over TLS only', ['a=1; Path=/; Secure'], 'http://api.example.com/', undefined],
  ['longer paths first', ['a=1; Path=/', 'b=2; Path=/v1'], 'https://api.example.com/v1/x', 'b=2; a=1'],
  ['not once deleted', ['a=1; Path=/', 'a=; Path=/; Max-Age=0'], 'https://api.example.com/', undefined],
  ['the latest of a name', ['a=1; Path=/', 'a=2; Path=/'], 'https://api.example.com/', 'a=2'],
])('cookies go %s', (_, cookies, to, header) => {
  expect(sent(cookies, to)).toBe(header)
})

test('cookies end when they say', () => {
  const to = 'https://api.example.com/'
  expect(sent(['a=1; Path=/; Max-Age=60'], to, undefined, NOW + 59_000)).toBe('a=1')
  expect(sent(['a=1; Path=/; Max-Age=60'], to, undefined, NOW + 60_000)).toBeUndefined()
  expect(sent(['a=1; Path=/; Expires=Fri, 02 Jan 2026 00:00:00 GMT'], to, undefined, NOW + 864e5)).toBeUndefined()
})
