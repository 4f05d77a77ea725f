import { expect, test } from 'vitest'
import { NOW, requestFor, rig } from './rig.test-support.ts'

/** Hand-written from the documentation. */
const ARTICLE = {
  type_of: 'article',
  id: 2000001,
  title: 'Tail sampling in practice: Array<T>',
  description: 'What we learned.',
  url: 'https://dev.to/ann/tail-sampling-1a2b',
  comments_count: 3,
  positive_reactions_count: 25,
  published_timestamp: '2026-11-18T09:00:00Z',
  published_at: '2026-11-18T09:00:00Z',
  canonical_url: 'https://ann.dev/tail',
  tag_list: ['tailsampling', 'devops'],
  tags: 'tailsampling, devops',
  user: { name: 'Ann', username: 'ann', user_id: 1 },
}

test('an article is found by the tag that a keyword makes', async () => {
  const { scanner, sources } = await rig({ reply: () => ({ body: [ARTICLE] }) })
  const result = await scanner('devto').scan(
    requestFor(['Tail Sampling', 'C++'], { negativeKeywords: ['Career Advice'] }),
  )
  expect(result.topics).toEqual([
    {
      sourceType: 'devto',
      externalId: '2000001',
      title: 'Tail sampling in practice: Array<T>',
      url: 'https://dev.to/ann/tail-sampling-1a2b',
      canonicalUrl: 'https://ann.dev/tail',
      sourceDate: Date.UTC(2026, 10, 18, 9),
      content: 'What we learned.',
      tags: ['tailsampling', 'devops'],
      author: 'Ann',
      authorUrl: 'https://dev.to/ann',
      engagement: { score: 25, comments: 3 },
    },
  ])
  expect(sources.requests.map(({ path }) => path)).toEqual([
    '/api/articles?tag=tailsampling&tags_exclude=careeradvice&state=fresh&per_page=25',
    '/api/articles?tag=cpp&tags_exclude=careeradvice&state=fresh&per_page=25',
  ])
  expect(sources.requests[0]!.headers.accept).toBe('application/vnd.forem.api-v1+json')
})

test('without keywords the newest articles are looked at; old ones are left out', async () => {
  const old = { ...ARTICLE, id: 1, published_at: '2026-10-01T00:00:00Z' }
  const { scanner, sources } = await rig({ reply: () => ({ body: [old, ARTICLE, { id: 3 }, null] }) })
  const { topics } = await scanner('devto').scan(requestFor([], { maxResults: 5 }))
  expect(topics.map(topic => topic.externalId)).toEqual(['2000001'])
  expect(sources.requests[0]!.path).toBe('/api/articles?state=fresh&per_page=5')
})

test('the whole article comes from the API, where lists and texts of tags change places', async () => {
  const { scanner } = await rig({
    reply: () => ({
      body: {
        ...ARTICLE,
        tag_list: 'a, b',
        tags: ['a', 'b'],
        body_markdown: '---\ntitle: x\n---\n\n# Tail\n\nText.\n',
      },
    }),
  })
  const extraction = await scanner('devto').extract!({
    externalId: '2000001',
    url: ARTICLE.url,
    signal: new AbortController().signal,
  })
  expect(extraction).toEqual({
    text: '# Tail\n\nText.',
    status: 'COMPLETED',
    title: ARTICLE.title,
    author: 'Ann',
    canonicalUrl: 'https://ann.dev/tail',
  })
})

test('an article that is gone can never be obtained; one that the API will not show is read from its page', async () => {
  const request = { externalId: '1', url: ARTICLE.url, signal: new AbortController().signal }
  const gone = await rig({ reply: () => ({ status: 404, body: { error: 'not found', status: 404 } }) })
  await expect(gone.scanner('devto').extract!(request)).rejects.toMatchObject({
    name: 'Unobtainable',
    message: 'The article is gone',
  })
  const empty = await rig({ reply: () => ({ body: { ...ARTICLE, body_markdown: null } }) })
  expect(await empty.scanner('devto').extract!(request)).toBeUndefined()
})

test('busy with plain text: left alone for a while', async () => {
  const { scanner } = await rig({
    reply: () => ({ status: 429, headers: { 'content-type': 'text/plain' }, body: 'Retry later' }),
  })
  await expect(scanner('devto').scan(requestFor(['otel']))).rejects.toMatchObject({
    name: 'SourcePaused',
    until: NOW + 15_000,
  })
})
