import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalUrl } from './canonical-url.ts'

test.each([
  ['HTTPS://Example.ORG/Post', 'https://example.org/Post'],
  ['http://example.org/post', 'https://example.org/post'],
  ['https://example.org:443/post/', 'https://example.org/post'],
  ['https://example.org./post', 'https://example.org/post'],
  ['https://example.org/', 'https://example.org'],
  ['https://example.org/post#part', 'https://example.org/post'],
  ['https://example.org/post?utm_source=x&utm_medium=y&id=1', 'https://example.org/post?id=1'],
  ['https://example.org/post?UTM_Campaign=x', 'https://example.org/post'],
  ['https://ann.medium.com/tail-1a2b3c?source=rss------observability-5', 'https://ann.medium.com/tail-1a2b3c'],
  ['https://example.org/post?fbclid=1&gclid=2', 'https://example.org/post'],
  ['https://example.org/watch?v=AAA&b=2&a=1', 'https://example.org/watch?a=1&b=2&v=AAA'],
  ['https://user:secret@example.org/post', 'https://example.org/post'],
  ['https://example.org/%7eann/%c3%a9', 'https://example.org/~ann/%C3%A9'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example'],
  ['http://example.org:8080/post/', 'http://example.org:8080/post'],
  ['  https://example.org/post ', 'https://example.org/post'],
  ['not a url', 'not a url'],
  ['mailto:ann@example.org', 'mailto:ann@example.org'],
])('%s is %s', (url, canonical) => {
  expect(canonicalUrl(url)).toBe(canonical)
})

test('a canonical address stays as it is', () => {
  fc.assert(
    fc.property(
      fc.webPath().chain(path => fc.webQueryParameters().map(query => `http://Example.org${path}?${query}#x`)),
      url => {
        const once = canonicalUrl(url)
        expect(canonicalUrl(once)).toBe(once)
      },
    ),
  )
})
