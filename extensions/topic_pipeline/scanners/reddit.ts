import type { FetchAnswer } from '#core/net'
import type { FoundTopic } from '../model/topic.ts'
import { itemsOfFeed, topicOfItem } from './feed-topics.ts'
import { PoliteClient, type Verdict } from './polite-client.ts'
import { RedditToken } from './reddit-token.ts'
import { ScanSession } from './scan-session.ts'
import type { Scanner } from './scanner.ts'
import { addressOf, minutesOf, type ScannerDeps } from './scanner-deps.ts'
import { given, type Json, listOf, numberOf, objectOf, textOf, urlOf } from './shape.ts'
import type { SourcesConfig } from './sources-config.ts'

const TYPE = 'reddit'
const DISPLAY_NAME = 'Reddit'
const PAGE = 100
/** Longest query that its search takes. */
const LONGEST_QUERY = 512
const DAY = 24 * 3_600_000

type Config = SourcesConfig['reddit'] & { readonly lookback: number }

/**
 * Posts of Reddit, of an approved client or by search feeds. There is no way without either: anonymous JSON is answered
 * with 403. Source: https://www.reddit.com/dev/api
 */
export function createRedditScanner(config: Config, deps: ScannerDeps): Scanner {
  const client = new PoliteClient({
    ...deps,
    source: TYPE,
    displayName: DISPLAY_NAME,
    interval: config.request_interval,
    judge: (answer, now) => {
      if (answer.status === 401) token.forget()
      return judgeLimit(answer, now)
    },
  })
  const token = new RedditToken(config, client, deps.clock)
  const communities = `/r/${config.subreddits.join('+')}`
  return {
    type: TYPE,
    displayName: DISPLAY_NAME,
    minimumInterval: minutesOf(config.scan_interval),
    unavailable: () => unavailable(config),
    async scan(request) {
      const session = new ScanSession(request)
      const since = deps.clock.now() - config.lookback
      const count = Math.min(PAGE, request.maxResults)
      const found = await session.gather(queriesOf(request.keywords), async query => {
        if (config.mode === 'feed') {
          return (await itemsOfFeed(feedUrl(config, communities, query), client, session, deps.reader)).map(item => ({
            ...topicOfItem(TYPE, item),
            // The same as by the API.
            externalId: item.id.replace(/^t3_/, ''),
          }))
        }
        const authorization = `Bearer ${await token.get(session)}`
        const listing = await client.askJson(
          session,
          addressOf(config.endpoint, query === undefined ? `${communities}/new` : `${communities}/search`, {
            q: query,
            restrict_sr: query === undefined ? undefined : '1',
            sort: query === undefined ? undefined : 'new',
            t: query === undefined ? undefined : spanOf(config.lookback),
            limit: String(count),
            raw_json: '1',
          }),
          { headers: { authorization, accept: 'application/json' } },
          postsOf,
        )
        if (listing !== undefined) await heed(listing.answer, session, client, deps)
        return listing?.value.map(topicOf).filter(topic => topic !== undefined) ?? []
      })
      return session.result(found.filter(({ sourceDate = since }) => sourceDate >= since))
    },
  }
}

function unavailable({ enabled, mode, client_id, client_secret }: Config): string | undefined {
  if (!enabled)
    return 'disabled: enabled is false, because Reddit wants an approved client and restricts what is done with posts'
  if (mode === 'feed') return undefined
  const missing = Object.entries({ client_id, client_secret }).filter(([, value]) => value === '')
  if (missing.length === 0) return undefined
  return `not configured: ${missing.map(([name]) => name).join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing`
}

/** `"a" OR "b"`, in as few queries as their length allows. */
function queriesOf(keywords: readonly string[]): (string | undefined)[] {
  const queries: string[] = []
  for (const keyword of keywords.map(each => each.replaceAll('"', '').trim()).filter(each => each !== '')) {
    const term = `"${keyword}"`
    const last = queries.at(-1)
    if (last !== undefined && last.length + term.length + 4 <= LONGEST_QUERY)
      queries[queries.length - 1] = `${last} OR ${term}`
    else queries.push(term.slice(0, LONGEST_QUERY))
  }
  return queries.length === 0 ? [undefined] : queries
}

function feedUrl(config: Config, communities: string, query: string | undefined): string {
  return addressOf(config.feed_endpoint, query === undefined ? `${communities}/new.rss` : `${communities}/search.rss`, {
    q: query,
    restrict_sr: query === undefined ? undefined : 'on',
    sort: query === undefined ? undefined : 'new',
    feed: config.feed_token === '' ? undefined : config.feed_token,
    user: config.feed_user === '' ? undefined : config.feed_user,
  })
}

function spanOf(lookback: number): string {
  if (lookback <= DAY) return 'day'
  if (lookback <= 7 * DAY) return 'week'
  return lookback <= 31 * DAY ? 'month' : 'year'
}

function postsOf(json: unknown): Json[] {
  const { children } = objectOf(objectOf(json).data)
  if (!Array.isArray(children)) throw new Error('answered without a listing')
  return listOf(children)
    .filter(({ kind }) => kind === 't3')
    .map(child => objectOf(child.data))
}

function topicOf(post: Json): FoundTopic | undefined {
  const id = textOf(post.id)
  const title = textOf(post.title)
  const author = textOf(post.author)
  const permalink = textOf(post.permalink)
  if (id === undefined || title === undefined || permalink === undefined || !permalink.startsWith('/')) return undefined
  const text = textOf(post.selftext)
  if (post.over_18 === true || post.stickied === true || author === '[deleted]') return undefined
  if (text === '[removed]' || text === '[deleted]') return undefined
  const created = numberOf(post.created_utc)
  const page = `https://www.reddit.com${permalink}`
  const linked = post.is_self === true ? undefined : urlOf(post.url)
  const url = linked === undefined || isOfReddit(linked) ? page : linked
  const subreddit = textOf(post.subreddit)
  return given<FoundTopic>({
    sourceType: TYPE,
    externalId: id,
    title: title.trim(),
    url,
    sourceDate: created === undefined ? undefined : created * 1000,
    content: text,
    complete: text !== undefined && url === page ? true : undefined,
    tags: subreddit === undefined ? [] : [subreddit],
    author,
    authorUrl: author === undefined ? undefined : `https://www.reddit.com/user/${encodeURIComponent(author)}`,
    engagement: given({ score: numberOf(post.score), comments: numberOf(post.num_comments) }),
  })
}

function isOfReddit(url: string): boolean {
  return /(^|\.)(reddit\.com|redd\.it)$/.test(new URL(url).hostname)
}

/** Stays within what the headers say is left. Values are decimal fractions. */
async function heed({ headers }: FetchAnswer, session: ScanSession, client: PoliteClient, deps: ScannerDeps) {
  const remaining = numberOf(headers['x-ratelimit-remaining'])
  const reset = numberOf(headers['x-ratelimit-reset'])
  if (remaining === undefined) return
  session.quotaRemaining = Math.floor(remaining)
  if (remaining < 1 && reset !== undefined) {
    await client.pause(`${DISPLAY_NAME}: the requests of this period are used up`, deps.clock.now() + reset * 1000)
  }
}

function judgeLimit({ status, headers }: FetchAnswer, now: number): Verdict | undefined {
  const reset = numberOf(headers['x-ratelimit-reset'])
  if (status !== 429 || headers['retry-after'] !== undefined || reset === undefined) return undefined
  return { kind: 'paused', message: 'wants fewer requests (status 429)', until: now + reset * 1000 }
}
