import type { parseFeed } from 'feedsmith'

/** An entry before its HTML is read. */
export interface RawEntry {
  readonly id?: string
  readonly title?: string
  /** The title when the format says that it is no HTML. */
  readonly plainTitle?: string
  readonly url?: string
  readonly date?: string
  readonly content?: string
  readonly summary?: string
  readonly tags: readonly string[]
  readonly author?: string
  readonly authorUrl?: string
  readonly views?: number
}

type Parsed = ReturnType<typeof parseFeed>
type Present<T> = NonNullable<T>

/** Entries of a feed in any of the formats, in its order. */
export function feedEntries(parsed: Parsed): { readonly title: string; readonly entries: RawEntry[] } {
  switch (parsed.format) {
    case 'rss':
      return { title: parsed.feed.title ?? '', entries: (parsed.feed.items ?? []).map(ofRss) }
    case 'rdf':
      return { title: parsed.feed.title ?? '', entries: (parsed.feed.items ?? []).map(ofRdf) }
    case 'atom':
      return { title: parsed.feed.title?.value ?? '', entries: (parsed.feed.entries ?? []).map(ofAtom) }
    case 'json':
      return { title: parsed.feed.title ?? '', entries: (parsed.feed.items ?? []).map(ofJson) }
  }
}

type RssItem = Present<Extract<Parsed, { format: 'rss' }>['feed']['items']>[number]
type RdfItem = Present<Extract<Parsed, { format: 'rdf' }>['feed']['items']>[number]
type AtomEntry = Present<Extract<Parsed, { format: 'atom' }>['feed']['entries']>[number]
type JsonItem = Present<Extract<Parsed, { format: 'json' }>['feed']['items']>[number]

function ofRss(item: RssItem): RawEntry {
  const permalink = item.guid?.isPermaLink !== false ? item.guid?.value : undefined
  return known({
    id: item.guid?.value,
    title: item.title,
    url: item.link ?? (permalink?.startsWith('http') ? permalink : undefined),
    date: textOf(item.pubDate) ?? textOf(item.dc?.dates?.[0]) ?? textOf(item.atom?.published ?? item.atom?.updated),
    content: item.content?.encoded,
    summary: item.description,
    tags: (item.categories ?? []).map(each => each.name ?? ''),
    author: item.dc?.creators?.[0] ?? nameOf(item.authors?.[0]?.name),
  })
}

function ofRdf(item: RdfItem): RawEntry {
  return known({
    id: item.rdf?.about,
    title: item.title,
    url: item.link,
    date: textOf(item.dc?.dates?.[0]),
    content: item.content?.encoded,
    summary: item.description,
    tags: item.dc?.subjects ?? [],
    author: item.dc?.creators?.[0],
  })
}

function ofAtom(entry: AtomEntry): RawEntry {
  const media = entry.media?.groups?.[0]
  const links = entry.links ?? []
  const link = links.find(each => each.rel === undefined || each.rel === 'alternate') ?? links[0]
  const isHtml = entry.title?.type === 'html' || entry.title?.type === 'xhtml'
  return known({
    id: entry.id,
    title: isHtml ? entry.title?.value : undefined,
    plainTitle: isHtml ? undefined : entry.title?.value?.replace(/\s+/g, ' ').trim(),
    url: link?.href,
    date: textOf(entry.published ?? entry.updated),
    content: asHtml(entry.content),
    summary: asHtml(entry.summary) ?? asHtml(media?.description),
    tags: (entry.categories ?? []).map(each => each.label ?? each.term ?? ''),
    author: entry.authors?.[0]?.name,
    authorUrl: entry.authors?.[0]?.uri,
    views: media?.community?.statistics?.views,
  })
}

function ofJson(item: JsonItem): RawEntry {
  return known({
    id: item.id,
    plainTitle: item.title,
    url: item.url ?? item.external_url,
    date: textOf(item.date_published ?? item.date_modified),
    content: item.content_html ?? escaped(item.content_text),
    summary: escaped(item.summary),
    tags: item.tags ?? [],
    author: item.authors?.[0]?.name,
    authorUrl: item.authors?.[0]?.url,
  })
}

/** Text constructs of Atom and Media RSS are plain unless they say otherwise. Source: RFC 4287 §3.1.1. */
function asHtml(text: { readonly value?: string; readonly type?: string } | undefined): string | undefined {
  return text?.type === 'html' || text?.type === 'xhtml' ? text.value : escaped(text?.value)
}

function escaped(text: string | undefined): string | undefined {
  return text
    ?.replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/\n{2,}/g, '<p>')
    .replaceAll('\n', '<br>')
}

/** `ann@example.org (Ann)` as RSS writes people. */
function nameOf(person: string | undefined): string | undefined {
  return /\(([^()]+)\)\s*$/.exec(person ?? '')?.[1] ?? person
}

/** Dates come as they were written. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

type Loose<T> = { readonly [K in keyof T]: T[K] | undefined } & { readonly tags: readonly string[] }

function known(entry: Loose<RawEntry>): RawEntry {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)) as unknown as RawEntry
}
