import { expect, test } from 'vitest'
import { requestFor, rig } from './rig.test-support.ts'

/** Hand-written from the documentation. */
const POST = {
  id: '6a603fb103e2cb323e7851f6',
  title: 'Tail sampling',
  slug: 'tail-sampling',
  url: 'https://ann.hashnode.dev/tail-sampling',
  brief: 'In short',
  publishedAt: '2026-11-18T09:00:00.000Z',
  readTimeInMinutes: 6,
  reactionCount: 12,
  replyCount: 1,
  responseCount: 3,
  author: { username: 'ann', name: 'Ann' },
  tags: [{ slug: 'opentelemetry', name: 'OpenTelemetry' }],
  content: { markdown: '# Tail\n\nWhat we learned.' },
}

test('posts are asked for by tag, with variables, and come with their whole text', async () => {
  const { scanner, sources } = await rig({
    reply: () => ({
      body: { data: { tag: { id: '1', slug: 'x', posts: { edges: [{ cursor: 'a', node: POST }, {}] } } } },
    }),
  })
  const result = await scanner('hashnode').scan(requestFor(['Tail Sampling"}']))
  expect(result.topics).toEqual([])
  expect((await scanner('hashnode').scan(requestFor(['opentelemetry']))).topics).toEqual([
    {
      sourceType: 'hashnode',
      externalId: '6a603fb103e2cb323e7851f6',
      title: 'Tail sampling',
      url: 'https://ann.hashnode.dev/tail-sampling',
      sourceDate: Date.UTC(2026, 10, 18, 9),
      content: '# Tail\n\nWhat we learned.',
      complete: true,
      tags: ['OpenTelemetry'],
      author: 'Ann',
      authorUrl: 'https://hashnode.com/@ann',
      engagement: { score: 12, comments: 3 },
    },
  ])
  const [first] = sources.requests
  expect(first).toMatchObject({ method: 'POST', path: '/' })
  const { query, variables } = JSON.parse(first!.body) as { query: string; variables: object }
  expect(variables).toEqual({ slug: 'tail-sampling', first: 25 })
  expect(query).toContain('tag(slug: $slug)')
  expect(query).not.toContain('tail-sampling')
})

test('without keywords the feed is asked', async () => {
  const { scanner, sources } = await rig({ reply: () => ({ body: { data: { feed: { edges: [{ node: POST }] } } } }) })
  expect((await scanner('hashnode').scan(requestFor([]))).topics).toHaveLength(1)
  expect(JSON.parse(sources.requests[0]!.body)).toMatchObject({
    variables: { first: 25 },
    query: expect.stringContaining('feed(first: $first)'),
  })
})

test.each([
  ['NOT_FOUND', undefined],
  ['FORBIDDEN', { name: 'SourcePaused', message: 'Hashnode lets nobody in (FORBIDDEN): why', until: undefined }],
  ['UNAUTHENTICATED', { name: 'SourcePaused' }],
  ['INTERNAL_SERVER_ERROR', { name: 'Error', message: 'Hashnode answered with an error: why' }],
])('the error %s inside an answer with status 200', async (code, error) => {
  const { scanner } = await rig({
    reply: () => ({ body: { data: null, errors: [{ message: 'why', extensions: { code }, path: ['tag'] }] } }),
  })
  const scan = scanner('hashnode').scan(requestFor(['otel']))
  if (error === undefined) expect(await scan).toMatchObject({ topics: [], problems: [] })
  else await expect(scan).rejects.toMatchObject(error)
})

test('a tag that nobody uses has no posts; an answer without data is a problem', async () => {
  const empty = await rig({ reply: () => ({ body: { data: { tag: null } } }) })
  expect(await empty.scanner('hashnode').scan(requestFor(['otel']))).toMatchObject({ topics: [], problems: [] })
  const none = await rig({ reply: () => ({ body: {} }) })
  await expect(none.scanner('hashnode').scan(requestFor(['otel']))).rejects.toThrow('Hashnode answered without data')
})
