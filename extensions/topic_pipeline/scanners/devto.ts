import type { FoundTopic } from '../model/topic.ts'
import { PoliteClient } from './polite-client.ts'
import { ScanSession } from './scan-session.ts'
import { type Extraction, type ExtractRequest, type Scanner, Unobtainable } from './scanner.ts'
import { addressOf, DISABLED, minutesOf, type ScannerDeps } from './scanner-deps.ts'
import { given, type Json, listOf, numberOf, objectOf, textOf, textsOf, timeOf, urlOf } from './shape.ts'
import { slugsOf } from './slug.ts'
import type { SourcesConfig } from './sources-config.ts'

const TYPE = 'devto'
const DISPLAY_NAME = 'Dev.to'
/** Most articles that one request asks for. */
const PAGE = 100

/**
 * Articles of DEV. Its API knows no text search: keywords become tags, one request each, and are matched here.
 * Source: https://developers.forem.com/api/v1
 */
export function createDevtoScanner(
  config: SourcesConfig['devto'] & { readonly lookback: number },
  deps: ScannerDeps,
): Scanner {
  const headers = { accept: 'application/vnd.forem.api-v1+json' }
  const client = new PoliteClient({
    ...deps,
    source: TYPE,
    displayName: DISPLAY_NAME,
    interval: config.request_interval,
  })
  return {
    type: TYPE,
    displayName: DISPLAY_NAME,
    minimumInterval: minutesOf(config.scan_interval),
    unavailable: () => (config.enabled ? undefined : DISABLED),
    async scan(request) {
      const session = new ScanSession(request)
      const tags = slugsOf(request.keywords, '')
      const excluded = slugsOf(request.negativeKeywords, '').join(',')
      const since = deps.clock.now() - config.lookback
      const found = await session.gather(tags.length === 0 ? [undefined] : session.firstOf(tags), async tag => {
        const url = addressOf(config.endpoint, '/api/articles', {
          tag,
          tags_exclude: excluded === '' ? undefined : excluded,
          state: config.state === 'all' ? undefined : config.state,
          per_page: String(Math.min(PAGE, request.maxResults)),
        })
        const listed = await client.askJson(session, url, { headers, conditional: true }, articlesOf)
        return listed?.value.map(topicOf).filter(topic => isSince(topic, since)) ?? []
      })
      return session.result(found.filter(topic => topic !== undefined))
    },
    extract: topic => extract(topic, client, addressOf(config.endpoint, `/api/articles/${topic.externalId}`), headers),
  }
}

/** The whole article, of which lists have a description only. */
async function extract(
  { signal }: ExtractRequest,
  client: PoliteClient,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Extraction | undefined> {
  const session = new ScanSession({ keywords: [], negativeKeywords: [], maxResults: 1, signal })
  const article = await client.askJson(session, url, { headers, absent: [404, 410] }, objectOf)
  if (article === undefined) throw new Unobtainable('The article is gone')
  const text = textOf(article.value.body_markdown)
  if (text === undefined) return undefined
  return given<Extraction>({
    text: withoutFrontMatter(text),
    status: 'COMPLETED',
    title: textOf(article.value.title),
    author: textOf(objectOf(article.value.user).name),
    canonicalUrl: urlOf(article.value.canonical_url),
  })
}

function articlesOf(json: unknown): Json[] {
  if (!Array.isArray(json)) throw new Error('answered with what is no list of articles')
  return listOf(json)
}

function topicOf(article: Json): FoundTopic | undefined {
  const id = numberOf(article.id)
  const title = textOf(article.title)
  const url = urlOf(article.url)
  if (id === undefined || title === undefined || url === undefined) return undefined
  const user = objectOf(article.user)
  const username = textOf(user.username)
  return given<FoundTopic>({
    sourceType: TYPE,
    externalId: String(id),
    title: title.trim(),
    url,
    canonicalUrl: urlOf(article.canonical_url),
    sourceDate: timeOf(article.published_at) ?? timeOf(article.published_timestamp),
    content: textOf(article.description),
    tags: tagsOf(article),
    author: textOf(user.name) ?? username,
    authorUrl: username === undefined ? undefined : new URL(`/${encodeURIComponent(username)}`, url).href,
    engagement: given({
      score: numberOf(article.positive_reactions_count) ?? numberOf(article.public_reactions_count),
      comments: numberOf(article.comments_count),
    }),
  })
}

/** One of the two is a list and the other one a text; which depends on the call. */
function tagsOf({ tag_list, tags }: Json): string[] {
  const list = [tag_list, tags].find(Array.isArray)
  const names = list === undefined ? (textOf(tag_list) ?? textOf(tags) ?? '').split(',') : textsOf(list)
  return names.map(name => name.trim()).filter(name => name !== '')
}

function isSince(topic: FoundTopic | undefined, since: number): topic is FoundTopic {
  return topic !== undefined && (topic.sourceDate === undefined || topic.sourceDate >= since)
}

/** Settings of the editor before the text, between lines of three hyphens. */
function withoutFrontMatter(markdown: string): string {
  return markdown.replace(/^---\r?\n[\s\S]{0,5000}?\r?\n---\r?\n/, '').trim()
}
