import { expect, test } from 'vitest'
import { NOW, requestFor, rig } from './rig.test-support.ts'

/** Hand-written from the documentation. */
const MEDIUM = `<?xml version="1.0" encoding="UTF-8"?><rss xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom" version="2.0"><channel>
<title><![CDATA[Observability on Medium]]></title><link>https://medium.com/tag/observability/latest</link>
<item><title><![CDATA[Tail sampling &amp; cost]]></title><link>https://ann.medium.com/tail-1a2b3c?source=rss------observability-5</link><guid isPermaLink="false">https://medium.com/p/1a2b3c</guid>
<category><![CDATA[observability]]></category><dc:creator><![CDATA[Ann]]></dc:creator><pubDate>Thu, 19 Nov 2026 10:00:00 GMT</pubDate><atom:updated>2026-11-19T10:00:01.000Z</atom:updated>
<description><![CDATA[<div class="medium-feed-item"><p>short</p><p><a href="https://ann.medium.com/tail-1a2b3c">Continue reading on Medium »</a></p></div>]]></description></item></channel></rss>`

test('a story of Medium: its own id, its link without the feed, its title decoded', async () => {
  const { scanner, sources } = await rig({ reply: () => ({ body: MEDIUM }) })
  const result = await scanner('medium', { medium: { feeds: ['@ann'] } }).scan(
    requestFor(['Observability', 'Site Reliability']),
  )
  expect(result.topics).toEqual([
    {
      sourceType: 'medium',
      externalId: 'https://medium.com/p/1a2b3c',
      title: 'Tail sampling & cost',
      url: 'https://ann.medium.com/tail-1a2b3c',
      sourceDate: Date.UTC(2026, 10, 19, 10),
      content: 'short\n\n[Continue reading on Medium »](https://ann.medium.com/tail-1a2b3c)',
      tags: ['observability'],
      author: 'Ann',
    },
  ])
  expect(sources.requests.map(({ path }) => path)).toEqual([
    '/feed/tag/observability',
    '/feed/tag/site-reliability',
    '/feed/@ann',
  ])
})

test('pages of Medium are fetched when the operator says so, and not otherwise', async () => {
  const { scanner } = await rig()
  const request = {
    externalId: 'x',
    url: 'https://ann.medium.com/x',
    content: 'short',
    signal: new AbortController().signal,
  }
  expect(await scanner('medium').extract!(request)).toEqual({ text: 'short', status: 'PARTIAL' })
  expect(await scanner('medium', { medium: { fetch_pages: true } }).extract!(request)).toBeUndefined()
})

test('a category without keywords has no tags to look at', async () => {
  const { scanner } = await rig()
  expect(await scanner('medium').scan(requestFor([]))).toMatchObject({
    topics: [],
    requests: 0,
    problems: ['The category has no keywords, and Medium is scanned by tag'],
  })
})

const DATE = new Date(NOW - 3_600_000)
const SHAPES: Record<string, string> = {
  rss: `<rss version="2.0"><channel><title>t</title><item><title>An OTel post</title><link>/post</link><pubDate>${DATE.toUTCString()}</pubDate></item></channel></rss>`,
  guid: `<rss version="2.0"><channel><title>t</title><item><title>An OTel post</title><guid>https://blog.example/post</guid><pubDate>${DATE.toUTCString()}</pubDate></item></channel></rss>`,
  rss091: `<?xml version="1.0"?><!-- old --><rss version="0.91"><channel><title>t</title><item><title>An OTel post</title><link>https://blog.example/post</link></item></channel></rss>`,
  rdf: `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="x"><title>t</title></channel><item rdf:about="https://blog.example/post"><title>An OTel post</title><link>https://blog.example/post</link><dc:date>${DATE.toISOString()}</dc:date></item></rdf:RDF>`,
  atom: `<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><entry><id>urn:1</id><title type="html">An &lt;b&gt;OTel&lt;/b&gt; post</title><link rel="self" href="https://blog.example/self"/><link href="https://blog.example/post"/><updated>${DATE.toISOString()}</updated></entry></feed>`,
  json: JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: 't',
    items: [{ id: '1', url: 'https://blog.example/post', title: 'An OTel post', date_published: DATE.toISOString() }],
  }),
}

test.each(Object.keys(SHAPES))('rss: a feed of the shape %s', async shape => {
  const { scanner, sources } = await rig({ reply: () => ({ body: SHAPES[shape] }) })
  const result = await scanner('rss').scan(requestFor(['otel']))
  expect(result.problems).toEqual([])
  expect(result.topics).toEqual([expect.objectContaining({ sourceType: 'rss', title: 'An OTel post' })])
  const url = shape === 'rss' ? `${sources.url}/post` : 'https://blog.example/post'
  expect(result.topics[0]!.url).toBe(url)
})

test('rss: a feed that fails does not stand in the way of another one', async () => {
  const { scanner, sources } = await rig({
    reply: ({ path }) =>
      path === '/good' ? { body: SHAPES.atom } : path === '/gone' ? { status: 404, body: 'x' } : { body: '<rss' },
  })
  const feeds = ['/gone', '/good', '/broken'].map(path => `${sources.url}/rss${path}`)
  const result = await scanner('rss', { rss: { feeds } }).scan(requestFor(['otel']))
  expect(result.topics).toHaveLength(1)
  expect(result.problems).toEqual([
    expect.stringMatching(/^127\.0\.0\.1:\d+ answered with status 404$/),
    expect.stringMatching(/^127\.0\.0\.1:\d+: It is no feed that can be read/),
  ])
})

test('rss: an address that is not public is not asked unless it is allowed', async () => {
  const { scanner } = await rig()
  await expect(
    scanner('rss', { rss: { feeds: ['http://169.254.169.254/latest'] } }).scan(requestFor(['otel'])),
  ).rejects.toThrow('169.254.169.254 could not be asked: The address is not public, so it may not be asked')
})

test.each([
  [
    '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]><rss version="2.0"><channel><title>&lol2;</title></channel></rss>',
    'A feed with a document type is not read',
  ],
  ['<!doctype html><html><body>Sign in</body></html>', 'It is a web page where a feed was expected'],
  ['<rss version="2.0"><channel><item><title>x', 'It is no feed that can be read'],
  ['<?xml version="1.0"', 'It is no feed that can be read: it ends too early'],
  ['', 'It is no feed that can be read'],
])('rss: %s', async (body, why) => {
  const { scanner } = await rig({ reply: () => ({ body }) })
  await expect(scanner('rss').scan(requestFor(['otel']))).rejects.toThrow(why)
})
