import type { Clock } from '#core/component'
import { FetchError, type Fetcher } from '#core/net'
import type { Reader } from './reader.ts'
import type { RobotsRuling } from './reading.ts'

/** Milliseconds that rules are kept, and that a host is not asked for them again after it failed. */
const KEPT = 24 * 3_600_000
const KEPT_FAILURE = 10 * 60_000
/** Characters that are read: RFC 9309 §2.5 wants 500 KiB at least. */
const READ = 512 << 10
/** Longest pause between two requests that is honoured, in milliseconds. */
const LONGEST_DELAY = 30_000
/** Addresses longer than this are not matched against patterns. */
const LONGEST_URL = 2_000
/** Hosts whose rules are kept, and characters of all rules. */
const MAX_HOSTS = 1_000
const MAX_KEPT = 16 << 20

export interface RobotsDeps {
  readonly fetcher: Fetcher
  readonly reader: Reader
  readonly clock: Clock
  /** What we call ourselves; the part before `/` is compared with `User-agent` lines. */
  readonly userAgent: string
}

/** Text of robots.txt; `allowed` for a host that has none. */
type Rules = { readonly text: string } | 'allowed' | { readonly failure: string }

/**
 * What hosts want of robots. Source: RFC 9309: rules that are not there (status 4xx, too many redirects) allow everything,
 * rules that cannot be had (status 5xx, no answer) allow nothing.
 */
export class Robots {
  readonly #deps: RobotsDeps
  /** In the order of their fetching. */
  readonly #rules = new Map<string, { readonly rules: Promise<Rules>; until: number; size: number }>()

  constructor(deps: RobotsDeps) {
    this.#deps = deps
  }

  /**
   * Whether an address may be fetched, and how long to wait between two.
   * @throws {RobotsUnreachable} when the host's rules cannot be had at present
   * @throws {FetchError} when the address may not be asked at all
   */
  async ruling(url: URL): Promise<RobotsRuling> {
    const rules = await this.#of(url.origin)
    if (rules === 'allowed') return { allowed: true }
    if ('failure' in rules) throw new RobotsUnreachable(rules.failure)
    if (url.href.length > LONGEST_URL) return { allowed: false }
    const { allowed, crawlDelay } = await this.#deps.reader.robots({
      text: rules.text,
      robotsUrl: `${url.origin}/robots.txt`,
      url: url.href,
      agent: this.#deps.userAgent.split('/')[0]!.trim(),
    })
    return crawlDelay === undefined ? { allowed } : { allowed, crawlDelay: Math.min(crawlDelay, LONGEST_DELAY) }
  }

  async #of(origin: string): Promise<Rules> {
    const now = this.#deps.clock.now()
    const known = this.#rules.get(origin)
    if (known !== undefined && known.until > now) return known.rules
    const entry = { rules: this.#fetch(origin), until: now + KEPT, size: 0 }
    this.#rules.delete(origin)
    this.#rules.set(origin, entry)
    try {
      const rules = await entry.rules
      if (typeof rules === 'object' && 'failure' in rules) entry.until = now + KEPT_FAILURE
      if (typeof rules === 'object' && 'text' in rules) entry.size = rules.text.length
      this.#makeRoom()
      return rules
    } catch (error) {
      if (this.#rules.get(origin) === entry) this.#rules.delete(origin)
      throw error
    }
  }

  #makeRoom(): void {
    let kept = this.#rules.values().reduce((sum, { size }) => sum + size, 0)
    for (const [origin, { size }] of this.#rules) {
      if (this.#rules.size <= MAX_HOSTS && kept <= MAX_KEPT) break
      this.#rules.delete(origin)
      kept -= size
    }
  }

  /** For everybody who waits for it, so nobody's signal ends it. */
  async #fetch(origin: string): Promise<Rules> {
    try {
      const { status, body } = await this.#deps.fetcher.fetch(`${origin}/robots.txt`)
      if (status >= 200 && status < 300) return { text: Buffer.from(body).toString().slice(0, READ) }
      if (status >= 500 || status === 429) return { failure: `robots.txt was answered with status ${status}` }
      return 'allowed'
    } catch (error) {
      if (!(error instanceof FetchError) || error.reason === 'refused') throw error
      if (error.limit === 'redirects') return 'allowed'
      return { failure: `robots.txt could not be fetched: ${error.message}` }
    }
  }
}

/** A host's rules cannot be had at present, so it is not asked for anything. */
export class RobotsUnreachable extends Error {
  override name = 'RobotsUnreachable'
}
