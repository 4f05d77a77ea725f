import type { FetchAnswer } from '#core/net'
import type { FoundTopic } from '../model/topic.ts'
import { itemsOfFeed, topicOfItem } from './feed-topics.ts'
import { nextPacificMidnight, pacificDay } from './pacific-day.ts'
import { PoliteClient, type Verdict } from './polite-client.ts'
import { ScanSession } from './scan-session.ts'
import { type Scanner, SourcePaused } from './scanner.ts'
import { addressOf, DISABLED, minutesOf, type ScannerDeps } from './scanner-deps.ts'
import { given, type Json, listOf, numberOf, objectOf, textOf, textsOf, timeOf } from './shape.ts'
import type { SourcesConfig } from './sources-config.ts'

const TYPE = 'youtube'
const DISPLAY_NAME = 'YouTube'
/** Videos of a page, and ids of one request for details. */
const PAGE = 50
/** Milliseconds to stay away when requests come too fast. */
const TOO_FAST = 600_000

type Config = SourcesConfig['youtube'] & { readonly lookback: number }

/**
 * Videos by title and description: an API key opens no transcripts. A scan is one search for all keywords, never a second
 * page, because searches are few: 100 a day, counted from midnight in California.
 * Source: https://developers.google.com/youtube/v3/docs and /youtube/v3/determine_quota_cost
 */
export function createYoutubeScanner(config: Config, deps: ScannerDeps): Scanner {
  const client = new PoliteClient({
    ...deps,
    source: TYPE,
    displayName: DISPLAY_NAME,
    interval: config.request_interval,
    judge: judgeError,
  })
  const feeds = new PoliteClient({
    ...deps,
    source: `${TYPE}/feeds`,
    displayName: `${DISPLAY_NAME}'s feeds`,
    interval: config.request_interval,
  })
  return {
    type: TYPE,
    displayName: DISPLAY_NAME,
    minimumInterval: minutesOf(config.scan_interval),
    minimumLength: 80,
    unavailable() {
      if (!config.enabled) return DISABLED
      return config.api_key === '' && config.channels.length === 0
        ? 'not configured: api_key is missing, and no channels are listed'
        : undefined
    },
    async scan(request) {
      const session = new ScanSession(request)
      const since = deps.clock.now() - config.lookback
      const parts = [
        ...(config.api_key === '' || request.keywords.length === 0 ? [] : [() => search(request.keywords)]),
        ...config.channels.map(channel => () => channelVideos(channel)),
      ]
      if (parts.length === 0) session.problems.push('The category has no keywords to search for')
      const search = async (keywords: readonly string[]) => {
        session.quotaRemaining = await takeSearch(client, config, deps)
        return searched(keywords, Math.min(PAGE, request.maxResults), since, session, client, config, deps)
      }
      const channelVideos = async (channel: string) => {
        const url = addressOf(config.feed_endpoint, '/feeds/videos.xml', { channel_id: channel })
        const items = await itemsOfFeed(url, feeds, session, deps.reader)
        return items.map(item => {
          const id = item.id.replace(/^yt:video:/, '')
          return { ...topicOfItem(TYPE, item), externalId: id, url: watchUrl(id) }
        })
      }
      const found = await session.gather(parts, part => part(), { independent: true })
      return session.result(found.filter(({ sourceDate = since }) => sourceDate >= since))
    },
    /** The description is all there is. */
    extract: async ({ content = '' }) => ({ text: content, status: 'PARTIAL' }),
  }
}

/**
 * Takes one search of today's.
 * @returns how many are left
 * @throws {SourcePaused} when there is none
 */
async function takeSearch(client: PoliteClient, config: Config, { clock }: ScannerDeps): Promise<number> {
  const now = clock.now()
  const period = pacificDay(now)
  const { quota } = await client.state.state()
  const used = quota?.period === period ? quota.used : 0
  if (used >= config.daily_searches) {
    throw new SourcePaused(
      `${DISPLAY_NAME}: the ${config.daily_searches} searches of today are used up`,
      nextPacificMidnight(now),
    )
  }
  await client.state.change({ quota: { period, used: used + 1 } }, now)
  return config.daily_searches - used - 1
}

async function searched(
  keywords: readonly string[],
  count: number,
  since: number,
  session: ScanSession,
  client: PoliteClient,
  config: Config,
  deps: ScannerDeps,
): Promise<FoundTopic[]> {
  const key = config.api_key
  const results = await client.askJson(
    session,
    addressOf(config.endpoint, '/youtube/v3/search', {
      part: 'snippet',
      type: 'video',
      q: keywords.map(keyword => (keyword.includes(' ') ? `"${keyword.replaceAll('"', '')}"` : keyword)).join('|'),
      order: config.order,
      publishedAfter: new Date(since).toISOString().replace(/\.\d+Z$/, 'Z'),
      relevanceLanguage: config.language === '' ? undefined : config.language,
      videoDuration: config.duration === 'any' ? undefined : config.duration,
      maxResults: String(count),
      key,
    }),
    {},
    itemsOf,
  )
  const found = (results?.value ?? []).filter(item => textOf(objectOf(item.id).videoId) !== undefined)
  if (found.length === 0) return []
  const ids = found.map(item => String(objectOf(item.id).videoId))
  const details = await detailsOf(
    ids,
    session,
    client,
    addressOf(config.endpoint, '/youtube/v3/videos', {
      part: 'snippet,statistics,contentDetails',
      id: ids.join(','),
      key,
    }),
  )
  const texts = await deps.reader.fragments(
    found.flatMap(({ snippet }) =>
      ['title', 'description', 'channelTitle'].map(name => ({
        html: textOf(objectOf(snippet)[name]) ?? '',
        as: 'title' as const,
      })),
    ),
  )
  return found.map((item, index) => {
    const [title = '', excerpt = '', channel = ''] = texts.slice(3 * index, 3 * index + 3)
    return topicOf(ids[index]!, objectOf(item.snippet), { title, excerpt, channel }, details.get(ids[index]!))
  })
}

/** Full descriptions and counts. Without them the search's excerpts are worth having, too. */
async function detailsOf(ids: readonly string[], session: ScanSession, client: PoliteClient, url: string) {
  try {
    const videos = await client.askJson(session, url, {}, itemsOf)
    return new Map(videos?.value.map(video => [String(video.id), video]))
  } catch (error) {
    session.signal.throwIfAborted()
    session.problems.push(`${error instanceof Error ? error.message : error}: ${ids.length} videos without details`)
    return new Map<string, Json>()
  }
}

function topicOf(
  id: string,
  snippet: Json,
  text: { readonly title: string; readonly excerpt: string; readonly channel: string },
  video: Json = {},
): FoundTopic {
  const detailed = objectOf(video.snippet)
  const statistics = objectOf(video.statistics)
  const channelId = textOf(snippet.channelId)
  return given<FoundTopic>({
    sourceType: TYPE,
    externalId: id,
    title: textOf(detailed.title) ?? text.title,
    url: watchUrl(id),
    sourceDate: timeOf(snippet.publishedAt),
    content: textOf(detailed.description) ?? (text.excerpt === '' ? undefined : text.excerpt),
    tags: textsOf(detailed.tags),
    author: text.channel === '' ? undefined : text.channel,
    authorUrl: channelId === undefined ? undefined : `https://www.youtube.com/channel/${encodeURIComponent(channelId)}`,
    engagement: given({
      score: numberOf(statistics.likeCount),
      comments: numberOf(statistics.commentCount),
      views: numberOf(statistics.viewCount),
    }),
  })
}

function watchUrl(id: string): string {
  return `https://www.youtube.com/watch?v=${encodeURIComponent(id)}`
}

function itemsOf(json: unknown): Json[] {
  const { items } = objectOf(json)
  if (!Array.isArray(items)) throw new Error('answered without items')
  return listOf(items)
}

/** Source: https://developers.google.com/youtube/v3/docs/errors */
function judgeError(answer: FetchAnswer, now: number): Verdict | undefined {
  if (answer.status !== 400 && answer.status !== 403 && answer.status !== 429) return undefined
  const error = errorOf(answer)
  const [first] = listOf(error.errors)
  const reason = textOf(first?.reason) ?? textOf(error.status)
  const message =
    textOf(error.message)
      ?.replace(/<[^>]*>/g, '')
      .slice(0, 200) ?? 'no reason given'
  switch (reason) {
    case 'quotaExceeded':
    case 'dailyLimitExceeded':
      return { kind: 'paused', message: 'says that its quota is used up', until: nextPacificMidnight(now) }
    case 'rateLimitExceeded':
    case 'userRateLimitExceeded':
      return { kind: 'paused', message: 'wants fewer requests', until: now + TOO_FAST }
    case 'keyInvalid':
    case 'keyExpired':
    case 'accessNotConfigured':
    case 'ipRefererBlocked':
    case 'forbidden':
      return { kind: 'paused', message: `refuses the key (unauthorized, ${reason}): ${message}` }
    case undefined:
      return undefined
    default:
      return { kind: answer.status === 400 ? 'failed' : 'paused', message: `answered with ${reason}: ${message}` }
  }
}

function errorOf(answer: FetchAnswer): Json {
  try {
    return objectOf(objectOf(JSON.parse(Buffer.from(answer.body).toString())).error)
  } catch {
    return {}
  }
}
