import { parseFeed } from 'feedsmith'
import { decodeBytes } from './decode-bytes.ts'
import { feedEntries, type RawEntry } from './feed-entries.ts'
import { toMarkdown } from './markdown.ts'
import { parseFragment } from './markup.ts'
import { plainTitle } from './plain-text.ts'
import { type Feed, type FeedItem, type FeedTask, Unreadable } from './reading.ts'

/** Characters of one text that are read. */
const MAX_TEXT = 200_000

/**
 * Reads a feed: RSS 0.9x, 1.0 and 2.0, Atom, JSON Feed. Items without a title or an address are left out.
 * @throws {Unreadable} when it is none, has a document type (no feed needs one, and entities come with it), or is cut off
 */
export function readFeed(task: FeedTask): Feed {
  const text = decodeBytes(task.body, task.contentType).replaceAll('\0', '').trimStart()
  refuseDocumentType(text)
  const { title, entries } = parsed(text)
  const items: FeedItem[] = []
  for (const entry of entries) {
    if (items.length >= task.maxItems) break
    const item = itemOf(entry, task.url)
    if (item !== undefined) items.push(item)
  }
  return { title: plainTitle(title), items }
}

function parsed(text: string) {
  try {
    return feedEntries(parseFeed(text))
  } catch (error) {
    throw new Unreadable(`It is no feed that can be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Looks at what stands before the root element only: an article may well write about document types. */
function refuseDocumentType(text: string): void {
  let at = 0
  for (;;) {
    while (/\s/.test(text.charAt(at))) at++
    const end = text.startsWith('<!--', at) ? '-->' : text.startsWith('<?', at) ? '?>' : undefined
    if (end === undefined) break
    const closed = text.indexOf(end, at)
    if (closed < 0) throw new Unreadable('It is no feed that can be read: it ends too early')
    at = closed + end.length
  }
  const start = text.slice(at, at + 200).toLowerCase()
  if (/^(<!doctype\s+html|<html)/.test(start)) throw new Unreadable('It is a web page where a feed was expected')
  if (start.startsWith('<!doctype')) throw new Unreadable('A feed with a document type is not read')
}

function itemOf(entry: RawEntry, base: string): FeedItem | undefined {
  const url = URL.parse(entry.url ?? '', base)
  if (entry.url === undefined || url === null || !/^https?:$/.test(url.protocol)) return undefined
  const title = entry.plainTitle ?? plainTitle(entry.title ?? '')
  const summary = markdownOf(entry.summary, url.href)
  const name = title === '' ? firstWords(summary) : title
  if (name === '') return undefined
  const published = dateOf(entry.date)
  const content = markdownOf(entry.content, url.href)
  return {
    id: entry.id?.trim() || url.href,
    title: name.slice(0, 500),
    url: url.href,
    tags: [...new Set(entry.tags.map(tag => plainTitle(tag)).filter(tag => tag !== ''))],
    ...(published === undefined ? {} : { published }),
    ...(content === '' ? {} : { content }),
    ...(summary === '' ? {} : { summary }),
    ...(entry.author === undefined ? {} : { author: plainTitle(entry.author) }),
    ...(entry.authorUrl === undefined ? {} : { authorUrl: entry.authorUrl }),
    ...(entry.views === undefined ? {} : { views: entry.views }),
  }
}

function markdownOf(html: string | undefined, base: string): string {
  return html === undefined ? '' : toMarkdown(parseFragment(html.slice(0, MAX_TEXT)), base)
}

/** Posts of short-message services have no titles. */
function firstWords(text: string): string {
  const line = text.split('\n', 1)[0]!
  return line.length <= 100 ? line : `${line.slice(0, 100).replace(/\s+\S*$/, '')}…`
}

function dateOf(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? undefined : time
}
