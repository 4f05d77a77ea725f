import type { PlayedRequest, SourceFault, SourcesOptions } from './played.test-support.ts'
import {
  devtoArticle,
  devtoList,
  hashnodePosts,
  madeTopic,
  makeTopics,
  pageHtml,
  redditListing,
  rssFeed,
  stackoverflowAnswers,
  stackoverflowPage,
  youtubeSearch,
  youtubeVideos,
} from './source-payloads.test-support.ts'

export interface PlayedReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The connection breaks in the middle. */
  readonly cut: boolean
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
const XML_TYPE = { 'content-type': 'text/xml; charset=UTF-8' }
const HTML_TYPE = { 'content-type': 'text/html; charset=utf-8' }
const ERROR_PAGE = '<!DOCTYPE html><html><body><h1>Something went wrong</h1></body></html>'

/** What a source answers. */
export function playSource(request: PlayedRequest, url: string, options: SourcesOptions): PlayedReply | 'silent' {
  const fault = options.fault?.(request)
  if (fault === 'silent') return 'silent'
  const own = options.reply?.(request)
  if (own !== undefined) {
    const text = typeof own.body === 'string'
    const headers = { ...(text ? XML_TYPE : JSON_TYPE), ...own.headers }
    return { status: own.status ?? 200, headers, body: text ? String(own.body) : JSON.stringify(own.body), cut: false }
  }
  const whole =
    fault === undefined || fault === 'truncated'
      ? ROLES[request.source](roleOf(request, url, options))
      : faulty(fault, request)
  return { ...whole, cut: fault === 'truncated' }
}

type Whole = Omit<PlayedReply, 'cut'>

interface Role {
  readonly request: PlayedRequest
  readonly at: URL
  readonly url: string
  readonly now: number
  readonly count: number
  readonly feedKeyword: string
}

function roleOf(request: PlayedRequest, url: string, options: SourcesOptions): Role {
  const { topics = 10, now = Date.now, feedKeyword = 'opentelemetry' } = options
  const count = typeof topics === 'number' ? topics : (topics[request.source] ?? 10)
  return { request, at: new URL(`http://played${request.path}`), url, now: now(), count, feedKeyword }
}

const ROLES: Readonly<Record<PlayedRequest['source'], (role: Role) => Whole>> = {
  stackoverflow({ at, now, count, request }) {
    const quota = { remaining: Math.max(0, 300 - request.number) }
    const ids = /^\/2\.3\/questions\/([\d;]+)\/answers$/.exec(at.pathname)?.[1]
    if (ids !== undefined) return json({ ...stackoverflowPage([], quota), items: stackoverflowAnswers(ids.split(';')) })
    const keyword = (at.searchParams.get('q') ?? 'opentelemetry').replaceAll('"', '')
    const size = Math.min(count, Number(at.searchParams.get('pagesize') ?? 30))
    return json(stackoverflowPage(makeTopics('stackoverflow', keyword, size, now), quota))
  },
  reddit({ at, now, count, request, url }) {
    if (at.pathname === '/api/v1/access_token') {
      return json({ access_token: 'token', token_type: 'bearer', expires_in: 86400, scope: '*' })
    }
    const keywords = (at.searchParams.get('q') ?? '"opentelemetry"').split(' OR ').map(each => each.replaceAll('"', ''))
    const size = Math.min(count, Number(at.searchParams.get('limit') ?? 25))
    const topics = keywords.flatMap(keyword => makeTopics('reddit', keyword, size, now))
    if (at.pathname.endsWith('.rss'))
      return feed(
        rssFeed(topics, topic => `${url}/pages/${topic.seed}/${encodeURIComponent(topic.keyword)}`, true),
        request,
      )
    if (request.headers.authorization !== 'Bearer token') return json({ message: 'Unauthorized', error: 401 }, 401)
    const limits = { 'x-ratelimit-used': '1', 'x-ratelimit-remaining': '599.0', 'x-ratelimit-reset': '300' }
    const answer = json(redditListing(topics))
    return { ...answer, headers: { ...answer.headers, ...limits } }
  },
  medium({ at, now, count, request }) {
    const keyword = decodeURIComponent(at.pathname.replace(/^\/feed\/(tag\/)?/, '')).replaceAll('-', ' ')
    const topics = makeTopics('medium', keyword, count, now)
    return feed(
      rssFeed(topics, ({ seed }) => `https://ann.medium.com/lesson-${seed.toString(16)}?source=rss------x-5`, true),
      request,
    )
  },
  devto({ at, now, count }) {
    const id = /^\/api\/articles\/(\d+)$/.exec(at.pathname)?.[1]
    if (id !== undefined) return json(devtoArticle(madeTopic(Number(id), now)))
    const keyword = at.searchParams.get('tag') ?? 'opentelemetry'
    const size = Math.min(count, Number(at.searchParams.get('per_page') ?? 30))
    return json(devtoList(makeTopics('devto', keyword, size, now)))
  },
  hashnode({ request, now, count }) {
    const { variables } = JSON.parse(request.body) as { variables: { slug?: string; first: number } }
    const keyword = (variables.slug ?? 'opentelemetry').replaceAll('-', ' ')
    const posts = hashnodePosts(makeTopics('hashnode', keyword, Math.min(count, variables.first), now))
    return json({
      data: variables.slug === undefined ? { feed: posts } : { tag: { id: '1', slug: variables.slug, posts } },
    })
  },
  youtube({ at, now, count, request, url }) {
    if (at.pathname === '/feeds/videos.xml') {
      return feed(
        rssFeed(makeTopics('youtube', 'opentelemetry', 15, now), ({ seed }) => `${url}/watch/${seed}`, true),
        request,
      )
    }
    const all = (keywords: readonly string[], size: number) =>
      keywords.flatMap(each => makeTopics('youtube', each, size, now))
    if (at.pathname === '/youtube/v3/videos') {
      return json(
        youtubeVideos(
          (at.searchParams.get('id') ?? '').split(',').map(id => madeTopic(Number.parseInt(id.slice(1), 36), now)),
        ),
      )
    }
    const keywords = (at.searchParams.get('q') ?? '').split('|').map(each => each.replaceAll('"', ''))
    const size = Math.min(count, Number(at.searchParams.get('maxResults') ?? 5))
    return json(youtubeSearch(all(keywords, size).slice(0, 50)))
  },
  rss({ url, now, count, request, feedKeyword }) {
    const topics = makeTopics('rss', feedKeyword, count, now)
    return feed(
      rssFeed(topics, topic => `${url}/pages/${topic.seed}/${encodeURIComponent(topic.keyword)}`, false),
      request,
    )
  },
  pages({ at, now }) {
    if (at.pathname === '/robots.txt') return { status: 404, headers: {}, body: '' }
    const [, seed, keyword] = /^\/(\d+)\/(.+)$/.exec(at.pathname) ?? []
    if (seed === undefined) return { status: 404, headers: HTML_TYPE, body: ERROR_PAGE }
    const body = pageHtml({ seed: Number(seed), keyword: decodeURIComponent(keyword!), at: now })
    return { status: 200, headers: HTML_TYPE, body }
  },
}

function json(value: unknown, status = 200): Whole {
  return { status, headers: JSON_TYPE, body: JSON.stringify(value) }
}

/** A feed changes when its items do, not with the minute they are dated by. */
function feed(body: string, { headers }: PlayedRequest): Whole {
  const etag = `"${body.replaceAll(/<pubDate>[^<]*<\/pubDate>/g, '').length}"`
  if (headers['if-none-match'] === etag) return { status: 304, headers: { etag }, body: '' }
  return { status: 200, headers: { ...XML_TYPE, etag }, body }
}

/** Hand-written from the documentation of each source. */
function faulty(fault: Exclude<SourceFault, 'silent' | 'truncated'>, { source }: PlayedRequest): Whole {
  switch (fault) {
    case 'too_many':
      return { status: 429, headers: { ...HTML_TYPE, 'retry-after': '30' }, body: 'Retry later' }
    case 'broken':
      return { status: 500, headers: HTML_TYPE, body: ERROR_PAGE }
    case 'html':
      return { status: 200, headers: HTML_TYPE, body: ERROR_PAGE }
    case 'garbage':
      return { status: 200, headers: JSON_TYPE, body: '{"items": [nonsense' }
    case 'forbidden':
      return { status: 403, headers: HTML_TYPE, body: ERROR_PAGE }
    case 'quota':
      return quotaUsedUp(source)
  }
}

function quotaUsedUp(source: PlayedRequest['source']): Whole {
  if (source === 'stackoverflow') {
    const error_message = 'too many requests from this IP, more requests available in 81123 seconds'
    return json({ error_id: 502, error_message, error_name: 'throttle_violation' }, 400)
  }
  if (source === 'youtube') {
    const message = 'The request cannot be completed because you have exceeded your <a href="/quota">quota</a>.'
    return json(
      { error: { code: 403, message, errors: [{ message, domain: 'youtube.quota', reason: 'quotaExceeded' }] } },
      403,
    )
  }
  return {
    status: 429,
    headers: { 'x-ratelimit-remaining': '0.0', 'x-ratelimit-reset': '240' },
    body: 'Too Many Requests',
  }
}
