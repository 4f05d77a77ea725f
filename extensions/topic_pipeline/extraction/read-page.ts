import { Readability } from '@mozilla/readability'
import { decodeBytes } from './decode-bytes.ts'
import { toMarkdown } from './markdown.ts'
import { oneLine } from './markdown-parts.ts'
import { isDeeperThan, type Markup, type MarkupDocument, parseDocument } from './markup.ts'
import { type PageTask, type PageText, Unreadable } from './reading.ts'

/** Elements nested deeper are no page that somebody wrote; finding the article takes longer than quadratic time in it. */
const MAX_DEPTH = 400
/** Elements above which the article is not searched for. */
const MAX_ELEMENTS = 30_000
/** Characters that a text may have; more is cut off. */
const MAX_TEXT = 500_000

/**
 * The text of a page as Markdown, without navigation, advertisements and comments; empty when it has none.
 * @throws {Unreadable} when it is nested too deeply
 */
export function readPage(task: PageTask): PageText {
  const source = decodeBytes(task.body, task.contentType).replaceAll('\0', '')
  if (/^text\/(plain|markdown|x-markdown)\b/i.test(task.contentType)) return readPlain(source, task.contentType)
  const document = parseDocument(source)
  const root = document.documentElement
  if (root === null) return { text: '', partial: true }
  if (isDeeperThan(root, MAX_DEPTH)) throw new Unreadable(`The page has elements nested more than ${MAX_DEPTH} deep`)
  const base = baseOf(document, task.url)
  const facts = { ...canonicalOf(document, base, task.url) }
  const paywalled = isPaywalled(document)
  const named = { title: titleOf(document), author: authorOf(document), window: filled(windowTitle(document)) }
  const article = articleOf(document)
  const text = cut(article === undefined ? wholeText(document, base) : toMarkdown(article.content, base))
  const title = named.title ?? article?.title ?? named.window
  const author = named.author ?? article?.byline
  return {
    text,
    partial: paywalled || article === undefined || text.length === MAX_TEXT,
    ...(title === undefined ? {} : { title }),
    ...(author === undefined ? {} : { author }),
    ...facts,
  }
}

function readPlain(source: string, contentType: string): PageText {
  const text = cut(source.replace(/\r\n?/g, '\n').trim())
  const heading = /markdown/i.test(contentType) ? /^#{1,6}\s+(.+)$/m.exec(text.slice(0, 2_000))?.[1] : undefined
  const partial = text.length === MAX_TEXT
  return heading === undefined ? { text, partial } : { text, partial, title: oneLine(heading) }
}

/** `undefined`: nothing on the page looks like an article. Takes the document apart. */
function articleOf(document: MarkupDocument) {
  try {
    const found = new Readability<Markup>(document as unknown as ConstructorParameters<typeof Readability>[0], {
      keepClasses: true,
      maxElemsToParse: MAX_ELEMENTS,
      serializer: node => node as unknown as Markup,
    }).parse()
    if (found?.content == null) return undefined
    const { content, title, byline } = found
    return { content, title: filled(title), byline: filled(byline, 100) }
  } catch {
    return undefined
  }
}

function wholeText(document: MarkupDocument, base: string): string {
  const main = document.querySelector('article') ?? document.querySelector('main') ?? document.body
  return main === null ? '' : toMarkdown(main, base)
}

function titleOf(document: MarkupDocument): string | undefined {
  const shared = filled(metaOf(document, 'meta[property="og:title"]') ?? metaOf(document, 'meta[name="twitter:title"]'))
  return shared ?? headingInTitle(document)
}

/** Also of a page without head, where it stands somewhere. */
function windowTitle(document: MarkupDocument): string {
  return oneLine(document.title || (document.querySelector('title')?.textContent ?? ''))
}

/** The heading without the site's name that the title adds, when there is one; any heading of a page without title. */
function headingInTitle(document: MarkupDocument): string | undefined {
  const whole = windowTitle(document)
  for (const heading of document.querySelectorAll('h1')) {
    const text = filled(heading.textContent)
    if (text !== undefined && (whole === '' || whole.includes(text))) return text
  }
  return undefined
}

function authorOf(document: MarkupDocument): string | undefined {
  const named = metaOf(document, 'meta[name="author"]') ?? metaOf(document, 'meta[property="article:author"]')
  return named !== null && /^https?:/.test(named) ? undefined : filled(named, 100)
}

function metaOf(document: MarkupDocument, selector: string): string | null {
  return document.querySelector(selector)?.getAttribute('content') ?? null
}

/** A page that claims to be its site's front page does not know better. */
function canonicalOf(document: MarkupDocument, base: string, url: string): Pick<PageText, 'canonicalUrl'> {
  const href = document.querySelector('link[rel~="canonical"]')?.getAttribute('href') ?? ''
  const canonical = href === '' ? null : URL.parse(href, base)
  if (canonical === null || !/^https?:$/.test(canonical.protocol) || canonical.href.length > 2_000) return {}
  if (canonical.pathname === '/' && canonical.search === '' && new URL(url).pathname !== '/') return {}
  return { canonicalUrl: canonical.href }
}

function baseOf(document: MarkupDocument, url: string): string {
  return URL.parse(document.querySelector('base')?.getAttribute('href') ?? '', url)?.href ?? url
}

/** Source: schema.org `isAccessibleForFree`, as search engines ask publishers to mark paywalls. */
function isPaywalled(document: MarkupDocument): boolean {
  for (const script of document.querySelectorAll('script[type="application/ld+json"]')) {
    if (/"isAccessibleForFree"\s*:\s*"?false/i.test(script.textContent ?? '')) return true
  }
  return false
}

function filled(text: string | null | undefined, most = 500): string | undefined {
  const line = oneLine(text ?? '').slice(0, most)
  return line === '' ? undefined : line
}

function cut(text: string): string {
  return text.slice(0, MAX_TEXT)
}
