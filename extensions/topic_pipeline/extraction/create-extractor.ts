import type { Clock } from '#core/component'
import { type FetchAnswer, FetchError, type Fetcher, parseRetryAfter } from '#core/net'
import { type Extraction, SourcePaused, Unobtainable } from '../scanners/scanner.ts'
import { HostPacer } from './host-pacer.ts'
import type { Reader } from './reader.ts'
import { Unreadable } from './reading.ts'
import { Robots } from './robots.ts'

const ACCEPT = 'text/html, application/xhtml+xml, text/markdown;q=0.9, text/plain;q=0.8'
const READ = /^(text\/html|application\/xhtml\+xml|text\/plain|text\/markdown|text\/x-markdown)$/
/** Milliseconds that a busy host which does not say how long is left alone. */
const PAUSE = 10 * 60_000

export interface ExtractorDeps {
  /** Asks public addresses only. */
  readonly guarded: Fetcher
  readonly reader: Reader
  readonly clock: Clock
  /** The same that the fetcher sends. */
  readonly userAgent: string
  /** Milliseconds between two requests to a host; default 1 000. */
  readonly hostInterval?: number
}

/** Gets the text of pages. */
export interface Extractor {
  /**
   * The text of a page as Markdown; empty when the page has none.
   * @throws {Unobtainable} when the page is gone, is of a type that cannot be read, is too large, wants no robots, or its
   *   address is refused; then the cause is the {@link FetchError}
   * @throws {SourcePaused} when its host wants fewer requests
   * @throws {Error} when it may succeed later
   */
  extractPage(url: string, signal: AbortSignal): Promise<Extraction>
}

/** Gets the text of pages: by the rules of their robots.txt, one at a time from each host, read in a process of its own. */
export function createExtractor(deps: ExtractorDeps): Extractor {
  const robots = new Robots({ ...deps, fetcher: deps.guarded })
  const pacer = new HostPacer(deps.clock, deps.hostInterval)
  return {
    async extractPage(address, signal) {
      const url = URL.parse(address)
      if (url === null || !/^https?:$/.test(url.protocol))
        throw new Unobtainable('The address is not a http or https URL')
      if (url.username + url.password !== '') throw new Unobtainable('The address carries a user or a password')
      try {
        const { crawlDelay } = await admitted(robots, url)
        const answer = await pacer.run(url.host, crawlDelay, signal, () => fetchPage(address, deps, signal))
        const last = new URL(answer.url)
        if (last.origin !== url.origin) await admitted(robots, last)
        return await read(answer, deps)
      } catch (error) {
        throw meaning(error)
      }
    },
  }
}

async function admitted(robots: Robots, url: URL) {
  const ruling = await robots.ruling(url)
  if (!ruling.allowed) throw new Unobtainable(`${url.host} does not want robots to read the page`)
  return ruling
}

async function fetchPage(url: string, { guarded, clock }: ExtractorDeps, signal: AbortSignal): Promise<FetchAnswer> {
  const answer = await guarded.fetch(url, { headers: { accept: ACCEPT }, signal })
  const { status, headers } = answer
  if (status >= 200 && status < 300) return answer
  if (status === 429 || status === 503) {
    const until = clock.now() + (parseRetryAfter(headers['retry-after'], clock.now()) ?? PAUSE)
    throw new SourcePaused(`The site of the page wants fewer requests (status ${status})`, until)
  }
  if (status === 408 || status >= 500) throw new Error(`The page was answered with status ${status}`)
  if (status === 404 || status === 410) throw new Unobtainable(`The page is gone (status ${status})`)
  throw new Unobtainable(`The page was answered with status ${status}`)
}

async function read({ url, body, headers }: FetchAnswer, { reader }: ExtractorDeps): Promise<Extraction> {
  const contentType = headers['content-type'] || sniffed(body)
  const type = contentType.split(';')[0]!.trim().toLowerCase()
  if (!READ.test(type)) throw new Unobtainable(`The page is of the type ${type.slice(0, 50)}, which is not read`)
  const { partial, ...page } = await reader.page({ body, contentType, url })
  return { ...page, status: partial ? 'PARTIAL' : 'COMPLETED' }
}

/** Without a type it is a page when it looks like one. */
function sniffed(body: Uint8Array): string {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 512)).toString('latin1')
  return /^\s*(<!doctype html|<html|<head|<body)/i.test(head) ? 'text/html' : 'application/octet-stream'
}

/** What can never succeed is told so. */
function meaning(error: unknown): unknown {
  if (error instanceof FetchError) {
    const never = error.reason === 'refused' || error.limit === 'size' || error.limit === 'redirects'
    return never ? new Unobtainable(error.message, { cause: error }) : error
  }
  if (error instanceof Unreadable && error.reason === 'malformed')
    return new Unobtainable(error.message, { cause: error })
  return error
}
