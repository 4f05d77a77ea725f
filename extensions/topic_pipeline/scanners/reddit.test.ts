import { expect, test } from 'vitest'
import { NOW, requestFor, rig } from './rig.test-support.ts'

/** Hand-written from the documentation. */
const POST = {
  id: '1abcdd',
  name: 't3_1abcdd',
  subreddit: 'devops',
  title: 'Tail sampling at 50k spans/s',
  selftext: 'What we learned.',
  is_self: true,
  author: 'ann',
  score: 42,
  upvote_ratio: 0.93,
  num_comments: 17,
  created_utc: NOW / 1000 - 3600,
  permalink: '/r/devops/comments/1abcdd/tail_sampling/',
  url: 'https://www.reddit.com/r/devops/comments/1abcdd/tail_sampling/',
  over_18: false,
  stickied: false,
}

function listing(...posts: object[]) {
  return { kind: 'Listing', data: { after: null, children: posts.map(data => ({ kind: 't3', data })) } }
}

const TOKEN = { access_token: 'granted', token_type: 'bearer', expires_in: 3600, scope: '*' }

test('an approved client gets a token, once, and searches all communities in one request', async () => {
  const { scanner, sources } = await rig({
    reply: ({ path }) => ({
      body: path.includes('access_token')
        ? TOKEN
        : listing(
            POST,
            { ...POST, id: '2', over_18: true },
            { ...POST, id: '3', stickied: true },
            { ...POST, id: '4', author: '[deleted]' },
            { ...POST, id: '5', selftext: '[removed]' },
            { ...POST, id: '6', is_self: false, selftext: '', url: 'https://ann.dev/tail' },
            { id: '7' },
          ),
      headers: { 'x-ratelimit-remaining': '598.0', 'x-ratelimit-reset': '300' },
    }),
  })
  const reddit = scanner('reddit', { reddit: { subreddits: ['devops', 'kubernetes'] } })
  const result = await reddit.scan(requestFor(['tail sampling', 'say "otel"']))
  expect(result).toMatchObject({ requests: 2, quotaRemaining: 598, problems: [] })
  expect(result.topics).toEqual([
    {
      sourceType: 'reddit',
      externalId: '1abcdd',
      title: 'Tail sampling at 50k spans/s',
      url: 'https://www.reddit.com/r/devops/comments/1abcdd/tail_sampling/',
      sourceDate: NOW - 3_600_000,
      content: 'What we learned.',
      complete: true,
      tags: ['devops'],
      author: 'ann',
      authorUrl: 'https://www.reddit.com/user/ann',
      engagement: { score: 42, comments: 17 },
    },
    expect.objectContaining({ externalId: '6', url: 'https://ann.dev/tail' }),
  ])
  await reddit.scan(requestFor(['metrics']))
  const [token, search, again] = sources.requests
  expect(token).toMatchObject({ method: 'POST', path: '/api/v1/access_token', body: 'grant_type=client_credentials' })
  expect(token!.headers.authorization).toBe(`Basic ${Buffer.from('id:secret').toString('base64')}`)
  const asked = new URL(`http://played${search!.path}`)
  expect(asked.pathname).toBe('/r/devops+kubernetes/search')
  expect(Object.fromEntries(asked.searchParams)).toEqual({
    q: '"tail sampling" OR "say otel"',
    restrict_sr: '1',
    sort: 'new',
    t: 'week',
    limit: '25',
    raw_json: '1',
  })
  expect(again!.headers.authorization).toBe('Bearer granted')
})

test('a refused token is forgotten: the next scan asks for another one', async () => {
  const { scanner, sources } = await rig({
    reply: ({ path, number }) => {
      if (path.includes('access_token')) return { body: TOKEN }
      return number === 2 ? { status: 401, body: { message: 'Unauthorized', error: 401 } } : { body: listing(POST) }
    },
  })
  const reddit = scanner('reddit')
  await expect(reddit.scan(requestFor(['tail sampling']))).rejects.toThrow(
    'Reddit refuses the credentials (unauthorized, status 401)',
  )
  expect((await reddit.scan(requestFor(['tail sampling']))).topics).toHaveLength(1)
  expect(sources.requests.filter(({ path }) => path.includes('access_token'))).toHaveLength(2)
})

test('what the headers say is left is all that is asked for', async () => {
  const { scanner } = await rig({
    reply: ({ path }) => ({
      body: path.includes('access_token') ? TOKEN : listing(POST),
      headers: path.includes('access_token') ? {} : { 'x-ratelimit-remaining': '0.0', 'x-ratelimit-reset': '240' },
    }),
  })
  expect((await scanner('reddit').scan(requestFor(['tail sampling']))).topics).toHaveLength(1)
  await expect(scanner('reddit').scan(requestFor(['tail sampling']))).rejects.toMatchObject({ until: NOW + 240_000 })
})

test('429 without Retry-After lasts until the period ends; 403 with a web page until the next scan', async () => {
  const { scanner } = await rig({ fault: () => 'quota' })
  await expect(scanner('reddit').scan(requestFor(['otel']))).rejects.toMatchObject({
    name: 'SourcePaused',
    until: NOW + 240_000,
  })
  const blocked = await rig({ fault: () => 'forbidden' })
  await expect(blocked.scanner('reddit').scan(requestFor(['otel']))).rejects.toMatchObject({
    message: 'Reddit lets nobody in (blocked, status 403)',
    until: undefined,
  })
})

const FEED = `<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>search results</title>
<entry><author><name>/u/ann</name><uri>https://www.reddit.com/user/ann</uri></author><category term="devops" label="r/devops"/>
<content type="html">&lt;div class="md"&gt;&lt;p&gt;What we &lt;b&gt;learned&lt;/b&gt;&lt;/p&gt;&lt;/div&gt;</content><id>t3_1abcdd</id>
<link href="https://www.reddit.com/r/devops/comments/1abcdd/tail_sampling/"/><updated>2026-11-20T11:00:00+00:00</updated>
<published>2026-11-20T11:00:00+00:00</published><title>Tail sampling &amp; cost</title></entry></feed>`

test('search feeds work without a client, with a personal token that is never logged', async () => {
  const { scanner, sources, logger } = await rig({ reply: () => ({ body: FEED }) })
  const reddit = scanner('reddit', {
    reddit: {
      mode: 'feed',
      client_id: '',
      client_secret: '',
      feed_user: 'ann',
      feed_token: 'personal',
      subreddits: ['devops'],
    },
  })
  expect(reddit.unavailable()).toBeUndefined()
  expect((await reddit.scan(requestFor(['tail sampling']))).topics).toEqual([
    expect.objectContaining({
      externalId: '1abcdd',
      title: 'Tail sampling & cost',
      content: 'What we **learned**',
      author: '/u/ann',
      tags: ['r/devops'],
    }),
  ])
  expect(sources.requests[0]!.path).toBe(
    '/r/devops/search.rss?q=%22tail+sampling%22&restrict_sr=on&sort=new&feed=personal&user=ann',
  )
  expect(JSON.stringify(logger.lines)).not.toContain('personal')
})

test.each([
  [{ enabled: false }, /^disabled: enabled is false, because Reddit wants an approved client/],
  [{ client_id: '' }, /^not configured: client_id is missing$/],
  [{ client_id: '', client_secret: '' }, /^not configured: client_id and client_secret are missing$/],
])('with %j it is listed and says why it cannot scan', async (reddit, why) => {
  const { scanner } = await rig()
  expect(scanner('reddit', { reddit }).unavailable()).toMatch(why)
})

test('many keywords become several queries of the length that the search takes', async () => {
  const { scanner, sources } = await rig({
    reply: ({ path }) => ({ body: path.includes('access_token') ? TOKEN : listing() }),
  })
  await scanner('reddit').scan(requestFor(Array.from({ length: 60 }, (_, index) => `a rather long keyword ${index}`)))
  const queries = sources.requests.slice(1).map(({ path }) => new URL(`http://played${path}`).searchParams.get('q')!)
  expect(queries.length).toBe(4)
  expect(Math.max(...queries.map(query => query.length))).toBeLessThanOrEqual(512)
  expect(queries.join(' OR ').match(/keyword \d+"/g)).toHaveLength(60)
})
