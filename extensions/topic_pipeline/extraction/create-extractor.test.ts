import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createFetcher } from '#core/net'
import { FakeClock } from '#core/testing'
import { createExtractor } from './create-extractor.ts'
import { createReader } from './reader.ts'

const NOW = Date.UTC(2026, 10, 20)
const ARTICLE = `<!doctype html><title>Tail sampling</title><link rel=canonical href=/canonical><article><h1>Tail sampling</h1><p>${'Some words, and more of them. '.repeat(30)}</p></article>`

type Answer = { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string | Buffer }

async function lab(answers: (path: string) => Answer | undefined, hostInterval = 0) {
  const asked: { readonly path: string; readonly headers: IncomingMessage['headers'] }[] = []
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    asked.push({ path: request.url!, headers: request.headers })
    const answer = answers(request.url!)
    if (answer === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('nothing here')
    else
      response
        .writeHead(answer.status ?? 200, { 'content-type': 'text/html; charset=utf-8', ...answer.headers })
        .end(answer.body ?? '')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const userAgent = 'Millrace-Topics/1.0 (+https://example.org)'
  const guarded = createFetcher({ userAgent, guard: { allowPrivate: ['127.0.0.1/32'] } })
  const reader = createReader({ timeout: 60_000 })
  const clock = new FakeClock(NOW)
  onTestFinished(async () => {
    server.closeAllConnections()
    await Promise.all([guarded.close(), reader.close(), new Promise(resolve => server.close(resolve))])
  })
  const extractor = createExtractor({ guarded, reader, clock, userAgent, hostInterval })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const extract = (path: string, signal = new AbortController().signal) =>
    extractor.extractPage(path.startsWith('/') ? url + path : path, signal)
  return { asked, url, extract, clock, paths: () => asked.map(({ path }) => path) }
}

const page = (path: string): Answer | undefined => (path === '/post' ? { body: ARTICLE } : undefined)

test('a page is fetched by its robots.txt and read', async () => {
  const { extract, asked, url } = await lab(page)
  expect(await extract('/post')).toMatchObject({
    status: 'COMPLETED',
    title: 'Tail sampling',
    canonicalUrl: `${url}/canonical`,
    text: expect.stringContaining('Some words'),
  })
  await extract('/post')
  expect(asked.map(({ path }) => path)).toEqual(['/robots.txt', '/post', '/post'])
  expect(asked[1]!.headers).toMatchObject({
    'user-agent': 'Millrace-Topics/1.0 (+https://example.org)',
    accept: 'text/html, application/xhtml+xml, text/markdown;q=0.9, text/plain;q=0.8',
  })
})

const ROBOTS = `User-agent: *
Disallow: /

User-agent: millrace-topics
Allow: /post$
Disallow: /po
Disallow: /private/*.html
`

test('robots.txt has rules for us by name, and the longest one counts', async () => {
  const { extract, paths } = await lab(path =>
    path === '/robots.txt' ? { headers: { 'content-type': 'text/plain' }, body: ROBOTS } : { body: ARTICLE },
  )
  await extract('/post')
  await extract('/private/x')
  for (const path of ['/poems', '/private/x.html']) {
    await expect(extract(path)).rejects.toMatchObject({
      name: 'Unobtainable',
      message: expect.stringMatching(/^127.0.0.1:\d+ does not want robots/),
    })
  }
  expect(paths()).toEqual(['/robots.txt', '/post', '/private/x'])
})

test.each([[500], [503], [429]])('robots.txt answered with %i: nothing is fetched for now', async status => {
  let failing = true
  const { extract, paths, clock } = await lab(path => (path === '/robots.txt' && failing ? { status } : page(path)))
  const refused = { name: 'RobotsUnreachable', message: `robots.txt was answered with status ${status}` }
  await expect(extract('/post')).rejects.toMatchObject(refused)
  await expect(extract('/post')).rejects.toMatchObject(refused)
  expect(paths()).toEqual(['/robots.txt'])
  failing = false
  await clock.advance(10 * 60_000)
  expect(await extract('/post')).toMatchObject({ status: 'COMPLETED' })
})

test.each([[401], [403], [404], [410]])('robots.txt answered with %i: everything may be fetched', async status => {
  const { extract } = await lab(path => (path === '/robots.txt' ? { status } : page(path)))
  expect(await extract('/post')).toMatchObject({ status: 'COMPLETED' })
})

test('robots.txt is kept for a day', async () => {
  const { extract, paths, clock } = await lab(page)
  await extract('/post')
  await clock.advance(24 * 3_600_000 - 1)
  await extract('/post')
  await clock.advance(1)
  await extract('/post')
  expect(paths().filter(path => path === '/robots.txt')).toHaveLength(2)
})

test('a page of another site that it leads to is judged by the rules there', async () => {
  const other = await lab(path => (path === '/robots.txt' ? { body: 'User-agent: *\nDisallow: /' } : page(path)))
  const { extract } = await lab(path =>
    path === '/away' ? { status: 302, headers: { location: `${other.url}/post` } } : undefined,
  )
  await expect(extract('/away')).rejects.toMatchObject({
    name: 'Unobtainable',
    message: expect.stringContaining('does not want robots'),
  })
})

test('the pause that a host asks for is kept, up to half a minute', async () => {
  const { extract, clock, paths } = await lab(path =>
    path === '/robots.txt' ? { body: 'User-agent: *\nCrawl-delay: 3600' } : page(path),
  )
  await extract('/post')
  const second = extract('/post')
  while (clock.pending === 0) await new Promise(resolve => setTimeout(resolve, 1))
  expect(clock.next).toBe(30_000)
  expect(paths()).toHaveLength(2)
  await clock.advance(30_000)
  await second
  expect(paths()).toHaveLength(3)
})

const NEVER: [string, Answer, string][] = [
  ['404', { status: 404 }, 'The page is gone (status 404)'],
  ['410', { status: 410 }, 'The page is gone (status 410)'],
  ['403', { status: 403 }, 'The page was answered with status 403'],
  [
    'PDF',
    { headers: { 'content-type': 'application/pdf' }, body: '%PDF' },
    'The page is of the type application/pdf, which is not read',
  ],
  [
    'JSON',
    { headers: { 'content-type': 'application/json' }, body: '{}' },
    'The page is of the type application/json, which is not read',
  ],
  [
    'an image',
    { headers: { 'content-type': 'image/png' }, body: 'x' },
    'The page is of the type image/png, which is not read',
  ],
  ['50 MB', { body: Buffer.alloc(50_000_000, '<p>hello ') }, 'The answer is larger than 5242880 bytes'],
  [
    'a bomb',
    { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(50_000_000)) },
    'The answer is larger than 5242880 bytes',
  ],
  ['a circle', { status: 302, headers: { location: '/post' } }, 'More than 5 redirects'],
  [
    'to an inner address',
    { status: 302, headers: { location: 'http://169.254.169.254/' } },
    'The address is not public, so it may not be asked',
  ],
  ['too deep', { body: '<div>'.repeat(1_000) }, 'The page has elements nested more than 400 deep'],
]

test.each(NEVER)('%s can never be obtained', async (_, answer, message) => {
  const { extract } = await lab(path => (path === '/post' ? answer : undefined))
  await expect(extract('/post')).rejects.toMatchObject({ name: 'Unobtainable', message })
})

test.each([
  'http://10.0.0.1/',
  'http://[::1]/',
  'http://127.0.0.2/',
  'ftp://example.org/',
  'http://u:p@127.0.0.1/',
  'nonsense',
])('%s is refused', async url => {
  const { extract, asked } = await lab(page)
  await expect(extract(url)).rejects.toMatchObject({ name: 'Unobtainable' })
  expect(asked).toEqual([])
})

test('what is busy or broken may succeed later', async () => {
  const { extract } = await lab(path => {
    if (path === '/busy') return { status: 429, headers: { 'retry-after': '120' } }
    if (path === '/down') return { status: 503 }
    return path === '/broken' ? { status: 502 } : undefined
  })
  await expect(extract('/busy')).rejects.toMatchObject({ name: 'SourcePaused', until: NOW + 120_000 })
  await expect(extract('/down')).rejects.toMatchObject({ name: 'SourcePaused', until: NOW + 600_000 })
  await expect(extract('/broken')).rejects.toMatchObject({
    name: 'Error',
    message: 'The page was answered with status 502',
  })
})

test('a page without a type is read when it looks like one', async () => {
  const { extract } = await lab(path => {
    if (path === '/post') return { headers: { 'content-type': '' }, body: ARTICLE }
    return path === '/data' ? { headers: { 'content-type': '' }, body: '\0\x01\x02' } : undefined
  })
  expect(await extract('/post')).toMatchObject({ status: 'COMPLETED' })
  await expect(extract('/data')).rejects.toMatchObject({ name: 'Unobtainable' })
})

test('a page without text brings none', async () => {
  const { extract } = await lab(path =>
    path === '/post' ? { body: '<html><body><img src=x></body></html>' } : undefined,
  )
  expect(await extract('/post')).toEqual({ text: '', status: 'PARTIAL' })
})

test('a host is asked for one page at a time, with a pause between', async () => {
  const { extract, clock, paths } = await lab(page, 1_000)
  const all = Promise.all([extract('/post'), extract('/post'), extract('/post')])
  for (const count of [2, 3, 4]) {
    while (clock.pending === 0 && paths().length < 4) await new Promise(resolve => setTimeout(resolve, 1))
    expect(paths()).toHaveLength(count)
    await clock.advance(1_000)
    if (count === 4) break
  }
  await all
})

test('who asks may lose interest while waiting', async () => {
  const { extract, clock } = await lab(page, 1_000)
  await extract('/post')
  const abort = new AbortController()
  const waiting = extract('/post', abort.signal)
  while (clock.pending === 0) await new Promise(resolve => setTimeout(resolve, 1))
  const reason = new Error('no longer wanted')
  abort.abort(reason)
  await expect(waiting).rejects.toBe(reason)
})
