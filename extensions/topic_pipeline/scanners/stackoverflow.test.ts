import { expect, test } from 'vitest'
import { NOW, requestFor, rig } from './rig.test-support.ts'

/** Hand-written from the documentation. */
const QUESTION = {
  tags: ['kubernetes', 'opentelemetry'],
  owner: {
    user_id: 2,
    user_type: 'registered',
    display_name: 'Ann &amp; Bob',
    link: 'https://stackoverflow.com/users/2/ann',
  },
  is_answered: true,
  view_count: 812,
  accepted_answer_id: 79000002,
  answer_count: 2,
  score: 7,
  last_activity_date: NOW / 1000 - 100,
  creation_date: NOW / 1000 - 3600,
  question_id: 79000001,
  content_license: 'CC BY-SA 4.0',
  link: 'https://stackoverflow.com/questions/79000001/tail-sampling',
  title: 'Why does tail sampling drop &quot;error&quot; traces in Map&lt;K, V&gt;?',
  body: '<p>My <code>policy</code> is</p>\n<pre class="lang-yaml s-code-block"><code>policies:\n  - name: a &amp;&amp; b\n</code></pre>',
}

test('a question is decoded, with its best answer, licence and author', async () => {
  const { scanner, sources } = await rig({
    reply: ({ path }) => ({
      body: path.includes('/answers')
        ? {
            items: [
              { question_id: 79000001, is_accepted: false, score: 90, body: '<p>Most votes</p>' },
              { question_id: 79000001, is_accepted: true, score: 3, body: '<p>Use <b>groups</b></p>' },
            ],
            quota_remaining: 286,
          }
        : { items: [QUESTION], has_more: false, quota_max: 300, quota_remaining: 287 },
    }),
  })
  const result = await scanner('stackoverflow', { stackoverflow: { key: 'app-key' } }).scan(
    requestFor(['tail sampling'], { negativeKeywords: ['Java Script'] }),
  )
  expect(result).toMatchObject({ requests: 2, quotaRemaining: 286, problems: [] })
  expect(result.topics).toEqual([
    {
      sourceType: 'stackoverflow',
      externalId: '79000001',
      title: 'Why does tail sampling drop "error" traces in Map<K, V>?',
      url: 'https://stackoverflow.com/questions/79000001/tail-sampling',
      sourceDate: NOW - 3_600_000,
      content: 'My `policy` is\n\n```yaml\npolicies:\n  - name: a && b\n```\n\n## Accepted answer\n\nUse **groups**',
      complete: true,
      tags: ['kubernetes', 'opentelemetry'],
      author: 'Ann & Bob',
      authorUrl: 'https://stackoverflow.com/users/2/ann',
      licence: 'CC BY-SA 4.0',
      engagement: { score: 7, comments: 2, views: 812, accepted: true },
    },
  ])
  const query = new URL(`http://played${sources.requests[0]!.path}`)
  expect(query.pathname).toBe('/2.3/search/advanced')
  expect(Object.fromEntries(query.searchParams)).toEqual({
    site: 'stackoverflow',
    filter: 'withbody',
    order: 'desc',
    key: 'app-key',
    sort: 'creation',
    q: '"tail sampling"',
    nottagged: 'java-script',
    fromdate: String(NOW / 1000 - 7 * 86_400),
    pagesize: '25',
  })
})

test('the answer may ask for a pause before the next call, which is kept, also across a restart', async () => {
  const { scanner, sources, clock } = await rig({
    reply: ({ number }) => ({ body: { items: [], quota_remaining: 200, ...(number === 1 ? { backoff: 10 } : {}) } }),
  })
  await scanner('stackoverflow').scan(requestFor(['otel']))
  const scan = scanner('stackoverflow').scan(requestFor(['otel']))
  await clock.advance(9_999)
  expect(sources.requests).toHaveLength(1)
  await clock.advance(1)
  await scan
  expect(sources.requests).toHaveLength(2)
})

test('a pause of more than a minute ends the scan', async () => {
  const { scanner } = await rig({ reply: () => ({ body: { items: [QUESTION], backoff: 120 } }) })
  const result = await scanner('stackoverflow').scan(requestFor(['tail sampling', 'metrics']))
  expect(result.topics).toHaveLength(1)
  expect(result.problems).toEqual(['Stack Overflow asked for a pause'])
  await expect(scanner('stackoverflow').scan(requestFor(['otel']))).rejects.toMatchObject({ until: NOW + 120_000 })
})

test('a quota of nothing is waited for until midnight UTC', async () => {
  const { scanner } = await rig({ reply: () => ({ body: { items: [], quota_remaining: 0 } }) })
  expect(await scanner('stackoverflow').scan(requestFor(['otel']))).toMatchObject({ quotaRemaining: 0 })
  await expect(scanner('stackoverflow').scan(requestFor(['otel']))).rejects.toMatchObject({
    message: 'Stack Overflow: the daily quota is used up',
    until: Date.UTC(2026, 10, 21),
  })
})

test('a throttle violation says for how long, and without it is an hour', async () => {
  const { scanner } = await rig({ fault: () => 'quota' })
  await expect(scanner('stackoverflow').scan(requestFor(['otel']))).rejects.toMatchObject({
    name: 'SourcePaused',
    until: NOW + 81_123_000,
  })
  const other = await rig({ reply: () => ({ status: 400, body: { error_id: 502, error_message: 'slow down' } }) })
  await expect(other.scanner('stackoverflow').scan(requestFor(['otel']))).rejects.toMatchObject({
    until: NOW + 3_600_000,
  })
})

test.each([
  [
    { error_id: 400, error_message: 'pagesize', error_name: 'bad_parameter' },
    'answered with an error: pagesize',
    'Error',
  ],
  [
    { error_id: 405, error_message: '`key` is required' },
    'refuses the key (unauthorized): `key` is required',
    'SourcePaused',
  ],
  [{ error_id: 503, error_message: 'later' }, 'is not available: later', 'SourcePaused'],
  [{}, 'answered with an error: no reason given', 'Error'],
])('status 400 with %j', async (body, message, name) => {
  const { scanner } = await rig({ reply: () => ({ status: 400, body }) })
  await expect(scanner('stackoverflow').scan(requestFor(['otel']))).rejects.toMatchObject({
    message: `Stack Overflow ${message}`,
    name,
  })
})

test('items of any shape are no reason to fail', async () => {
  const { scanner } = await rig({
    reply: () => ({
      body: { items: [null, 1, {}, { question_id: 5 }, { ...QUESTION, owner: null, tags: 'x', body: 7 }] },
    }),
  })
  const { topics } = await scanner('stackoverflow').scan(requestFor(['tail sampling']))
  expect(topics).toEqual([expect.objectContaining({ externalId: '79000001', tags: [] })])
})
