import { expect, test } from 'vitest'
import { NOW, requestFor, rig } from './rig.test-support.ts'

const MIDNIGHT = Date.UTC(2026, 10, 21, 8)

/** Hand-written from the documentation. */
const SEARCH = {
  kind: 'youtube#searchListResponse',
  items: [
    {
      kind: 'youtube#searchResult',
      id: { kind: 'youtube#video', videoId: 'AAAAAAAAAAA' },
      snippet: {
        publishedAt: '2026-11-18T09:00:00Z',
        channelId: 'UCx',
        title: 'OTel &amp; tail sampling',
        description: 'About OTel ...',
        channelTitle: 'Ann &#39;s',
        liveBroadcastContent: 'none',
      },
    },
    { id: { kind: 'youtube#channel', channelId: 'UCy' }, snippet: { title: 'otel' } },
  ],
}
const VIDEOS = {
  kind: 'youtube#videoListResponse',
  items: [
    {
      id: 'AAAAAAAAAAA',
      snippet: { title: 'OTel & tail sampling', description: 'The full text\n\n0:00 Intro', tags: ['otel'] },
      contentDetails: { duration: 'PT11M32S', caption: 'true' },
      statistics: { viewCount: '12345', commentCount: '12' },
    },
  ],
}

test('one search for all keywords, one request for all details', async () => {
  const { scanner, sources } = await rig({
    reply: ({ path }) => ({ body: path.includes('/search?') ? SEARCH : VIDEOS }),
  })
  const result = await scanner('youtube', { youtube: { daily_searches: 100, duration: 'medium' } }).scan(
    requestFor(['otel', 'tail sampling']),
  )
  expect(result).toMatchObject({ requests: 2, quotaRemaining: 99, problems: [] })
  expect(result.topics).toEqual([
    {
      sourceType: 'youtube',
      externalId: 'AAAAAAAAAAA',
      title: 'OTel & tail sampling',
      url: 'https://www.youtube.com/watch?v=AAAAAAAAAAA',
      sourceDate: Date.UTC(2026, 10, 18, 9),
      content: 'The full text\n\n0:00 Intro',
      tags: ['otel'],
      author: "Ann 's",
      authorUrl: 'https://www.youtube.com/channel/UCx',
      engagement: { comments: 12, views: 12345 },
    },
  ])
  expect(Object.fromEntries(new URL(`http://played${sources.requests[0]!.path}`).searchParams)).toEqual({
    part: 'snippet',
    type: 'video',
    q: 'otel|"tail sampling"',
    order: 'date',
    publishedAfter: '2026-11-13T12:00:00Z',
    relevanceLanguage: 'en',
    videoDuration: 'medium',
    maxResults: '25',
    key: 'key',
  })
  expect(sources.requests[1]!.path).toContain(
    '/youtube/v3/videos?part=snippet%2Cstatistics%2CcontentDetails&id=AAAAAAAAAAA',
  )
})

test('searches are counted by the day in California, across restarts, and are back at midnight there', async () => {
  const { scanner, sources, clock } = await rig({ reply: () => ({ body: { items: [] } }) })
  const scan = () => scanner('youtube', { youtube: { daily_searches: 2 } }).scan(requestFor(['otel']))
  expect(await scan()).toMatchObject({ quotaRemaining: 1 })
  expect(await scan()).toMatchObject({ quotaRemaining: 0 })
  await expect(scan()).rejects.toMatchObject({
    name: 'SourcePaused',
    message: 'YouTube: the 2 searches of today are used up',
    until: MIDNIGHT,
  })
  expect(sources.requests).toHaveLength(2)
  await clock.advance(MIDNIGHT - NOW)
  expect(await scan()).toMatchObject({ quotaRemaining: 1 })
})

test('when the provider counts more than we do, it is believed', async () => {
  const { scanner } = await rig({ fault: () => 'quota' })
  await expect(scanner('youtube').scan(requestFor(['otel']))).rejects.toMatchObject({
    name: 'SourcePaused',
    message: 'YouTube says that its quota is used up',
    until: MIDNIGHT,
  })
})

test.each([
  [400, 'keyInvalid', 'YouTube refuses the key (unauthorized, keyInvalid): why', undefined],
  [403, 'accessNotConfigured', 'YouTube refuses the key (unauthorized, accessNotConfigured): why', undefined],
  [403, 'rateLimitExceeded', 'YouTube wants fewer requests', NOW + 600_000],
  [403, 'somethingElse', 'YouTube answered with somethingElse: why', undefined],
])('status %i because of %s', async (status, reason, message, until) => {
  const error = { code: status, message: '<b>why</b>', errors: [{ reason, domain: 'global' }] }
  const { scanner } = await rig({ reply: () => ({ status, body: { error } }) })
  await expect(scanner('youtube').scan(requestFor(['otel']))).rejects.toMatchObject({
    name: 'SourcePaused',
    message,
    until,
  })
})

test('without details the excerpts of the search are taken', async () => {
  const { scanner } = await rig({
    reply: ({ path }) => (path.includes('/search?') ? { body: SEARCH } : { status: 500, body: 'x' }),
  })
  const result = await scanner('youtube').scan(requestFor(['otel']))
  expect(result.topics).toEqual([expect.objectContaining({ title: 'OTel & tail sampling', content: 'About OTel ...' })])
  expect(result.problems).toEqual(['YouTube failed with status 500: 1 videos without details'])
})

test('the description is all there is, and says so', async () => {
  const { scanner } = await rig()
  expect(
    await scanner('youtube').extract!({
      externalId: 'A',
      url: 'x',
      content: 'text',
      signal: new AbortController().signal,
    }),
  ).toEqual({ text: 'text', status: 'PARTIAL' })
})

const CHANNEL = `<?xml version="1.0" encoding="UTF-8"?><feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">
<title>Ann</title><entry><id>yt:video:BBBBBBBBBBB</id><yt:videoId>BBBBBBBBBBB</yt:videoId><title>OTel &amp; more</title>
<link rel="alternate" href="https://www.youtube.com/watch?v=BBBBBBBBBBB"/><author><name>Ann</name><uri>https://www.youtube.com/channel/UCx</uri></author>
<published>2026-11-18T09:00:00+00:00</published><media:group><media:description>Line one
line two</media:description><media:community><media:statistics views="77"/></media:community></media:group></entry></feed>`

test('channels are read without a key, and one that is falsely not found is a problem and no more', async () => {
  const { scanner, sources } = await rig({
    reply: ({ path }) => (path.includes('UCgone') ? { status: 404, body: 'Not found' } : { body: CHANNEL }),
  })
  const youtube = scanner('youtube', { youtube: { api_key: '', channels: ['UCgone', 'UCx'] } })
  expect(youtube.unavailable()).toBeUndefined()
  const result = await youtube.scan(requestFor(['otel']))
  expect(result.problems).toEqual(["YouTube's feeds answered with status 404"])
  expect(result.topics).toEqual([
    expect.objectContaining({
      externalId: 'BBBBBBBBBBB',
      title: 'OTel & more',
      url: 'https://www.youtube.com/watch?v=BBBBBBBBBBB',
      content: 'Line one\nline two',
      author: 'Ann',
      engagement: { views: 77 },
    }),
  ])
  expect(sources.requests).toHaveLength(2)
})
