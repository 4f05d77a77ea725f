import { expect, test } from 'vitest'
import type { FetchAnswer, Fetcher } from '#core/net'
import { FakeClock } from '#core/testing'
import { readRobots } from './read-robots.ts'
import type { Reader } from './reader.ts'
import { Robots } from './robots.ts'

/** A network of hosts that all have long rules. */
function lab(length: number) {
  const asked: string[] = []
  const fetcher: Fetcher = {
    fetch: async (url): Promise<FetchAnswer> => {
      asked.push(url)
      return { url, status: 200, headers: {}, body: Buffer.from(`user-agent: *\nallow: /\n#${'x'.repeat(length)}`) }
    },
    close: async () => {},
  }
  const reader = { robots: async task => readRobots(task) } as Pick<Reader, 'robots'> as Reader
  const robots = new Robots({ fetcher, reader, clock: new FakeClock(), userAgent: 'Test/1.0' })
  return { asked, rule: (host: number) => robots.ruling(new URL(`https://h${host}.example/`)) }
}

test('rules of a host are asked for once, also by many at the same time', async () => {
  const { asked, rule } = lab(10)
  await Promise.all([rule(1), rule(1), rule(2)])
  await rule(1)
  expect(asked).toEqual(['https://h1.example/robots.txt', 'https://h2.example/robots.txt'])
})

test('however many hosts there are and however much they say, a part is kept: the latest', async () => {
  const { asked, rule } = lab(600_000)
  for (let host = 0; host < 40; host++) await rule(host)
  asked.length = 0
  await rule(39)
  await rule(20)
  expect(asked).toEqual([])
  await rule(0)
  expect(asked).toHaveLength(1)
})

test.each([
  ['user-agent: test\ndisallow: /a', '/a/b', false],
  ['user-agent: test\ndisallow: /a', '/b', true],
  ['user-agent: other\ndisallow: /', '/b', true],
  ['user-agent: *\ndisallow: /\n\nuser-agent: TEST\nallow: /b', '/b', true],
  ['user-agent: *\ndisallow: /*.pdf$', '/x.pdf', false],
  ['user-agent: *\ndisallow: /*.pdf$', '/x.pdf?y', true],
  ['user-agent: *\ndisallow:', '/', true],
  ['', '/', true],
  ['<!doctype html><html>not found</html>', '/', true],
  ['\0\xff garbage', '/', true],
])('%j: %s may be fetched: %s', (text, path, allowed) => {
  const url = `https://example.org${path}`
  expect(readRobots({ text, robotsUrl: 'https://example.org/robots.txt', url, agent: 'Test' }).allowed).toBe(allowed)
})
