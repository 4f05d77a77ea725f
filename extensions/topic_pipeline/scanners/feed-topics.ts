import type { FeedItem } from '../extraction/reading.ts'
import { Unreadable } from '../extraction/reading.ts'
import type { FoundTopic } from '../model/topic.ts'
import type { PoliteClient } from './polite-client.ts'
import type { ScanSession } from './scan-session.ts'
import type { ScannerDeps } from './scanner-deps.ts'
import { given } from './shape.ts'

const ACCEPT = 'application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.8'
/** Largest feed in bytes. */
const MAX_BYTES = 5 << 20
/** Characters from which on a description is taken for the whole text, when there is no other. */
const WHOLE = 3_000

/**
 * The items of a feed, none when nothing has changed.
 * @throws {SourcePaused}
 * @throws {Error} when it cannot be fetched or read
 */
export async function itemsOfFeed(
  url: string,
  client: PoliteClient,
  session: ScanSession,
  reader: ScannerDeps['reader'],
): Promise<readonly FeedItem[]> {
  const answer = await client.ask(session, url, { headers: { accept: ACCEPT }, conditional: true, maxBytes: MAX_BYTES })
  if (answer === undefined) return []
  try {
    const contentType = answer.headers['content-type'] ?? ''
    return (await reader.feed({ body: answer.body, contentType, url: answer.url, maxItems: 500 })).items
  } catch (error) {
    session.forget(url)
    if (!(error instanceof Unreadable)) throw error
    throw new Error(`${new URL(url).host}: ${error.message}`)
  }
}

/** An item as a topic. */
export function topicOfItem(sourceType: string, item: FeedItem): FoundTopic {
  const { content, summary } = item
  return given<FoundTopic>({
    sourceType,
    externalId: item.id,
    title: item.title,
    url: item.url,
    sourceDate: item.published,
    content: longer(content, summary),
    complete: content !== undefined && !isExcerpt(content) && content.length >= WHOLE ? true : undefined,
    tags: item.tags,
    author: item.author,
    authorUrl: item.authorUrl,
    engagement: item.views === undefined ? undefined : { views: item.views },
  })
}

/** Whether a text says that it goes on elsewhere. */
export function isExcerpt(text: string): boolean {
  return /(continue reading|read more|weiterlesen|\[(?:…|\.\.\.)\]|(?:…|\.\.\.))\W*(?:on \w+\W*)?(?:\]\([^)]*\))?\W*$/i.test(
    text.slice(-300),
  )
}

function longer(a: string | undefined, b: string | undefined): string | undefined {
  return (a?.length ?? 0) >= (b?.length ?? 0) ? (a ?? b) : b
}
