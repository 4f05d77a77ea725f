import { SpanStatusCode, type Tracer } from '@opentelemetry/api'
import { type Clock, type Logger, type Timer, traceparentOf } from '#core/component'
import type { Category } from '../model/category.ts'
import type { ScanOutcome } from '../model/scan.ts'
import { canonicalUrl } from '../scanners/canonical-url.ts'
import { type Scanner, SourcePaused } from '../scanners/scanner.ts'
import type { TopicStore } from '../store/store.ts'

/** Milliseconds that a scan may take. */
const LIMIT = 9 * 60_000
/** Milliseconds after which a scan whose process is gone no longer stands in the way of the next. */
const LEASE = 2 * 60_000

export interface ScanDeps {
  readonly store: TopicStore
  readonly scanners: readonly Scanner[]
  readonly clock: Clock
  readonly logger: Logger
  readonly tracer: Tracer
  readonly maxResults: number
  /** Told of every scan that ended. */
  ended(source: string, outcome: ScanOutcome): void
}

/** A category to be scanned at a source. */
export interface Target {
  readonly category: Category
  readonly scanner: Scanner
}

/** Scans sources for categories: sources side by side, the categories of a source one after the other. */
export class ScanService {
  readonly #deps: ScanDeps
  readonly #closing = new AbortController()
  /** The last scan of each source. */
  readonly #queues = new Map<string, Promise<void>>()
  #running = 0

  constructor(deps: ScanDeps) {
    this.#deps = deps
  }

  /** Scans that run or wait in this process. */
  get running(): number {
    return this.#running
  }

  /** The sources of a category. */
  targetsOf(category: Category): Target[] {
    const { sources } = category
    return this.#deps.scanners
      .filter(({ type }) => sources.length === 0 || sources.includes(type))
      .map(scanner => ({ category, scanner }))
  }

  /** Resolves when all have been scanned; never rejects. */
  async scan(targets: readonly Target[]): Promise<void> {
    await Promise.all(targets.map(target => this.#enqueue(target)))
  }

  /** Breaks off what runs, and waits for it. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('The collector stops'))
    await Promise.all(this.#queues.values())
  }

  #enqueue(target: Target): Promise<void> {
    const { type } = target.scanner
    this.#running++
    const done = (this.#queues.get(type) ?? Promise.resolve())
      .then(() => (this.#closing.signal.aborted ? undefined : this.#one(target)))
      .catch(error => this.#deps.logger.error('Cannot keep the record of a scan', { source: type, error }))
      .finally(() => this.#running--)
    this.#queues.set(type, done)
    return done
  }

  async #one({ category, scanner }: Target): Promise<void> {
    const { store, clock, tracer } = this.#deps
    const now = clock.now()
    const id = await store.scans.begin(category.id, scanner.type, now, now + LEASE)
    if (id === undefined) return
    const span = tracer.startSpan(`scan ${scanner.type}`, {
      attributes: { 'topics.source': scanner.type, 'topics.category.id': category.id },
    })
    const letGo = this.#hold(id)
    const outcome = await this.#outcome(category, scanner, traceparentOf(span)).finally(letGo)
    span.setAttributes({ 'topics.found': outcome.topicsFound, 'topics.new': outcome.topicsNew })
    if (outcome.status === 'FAILED') span.setStatus({ code: SpanStatusCode.ERROR, message: outcome.errorDetails ?? '' })
    span.end()
    await store.scans.finish(id, outcome, clock.now())
    this.#deps.ended(scanner.type, outcome)
  }

  /** Renews the lease of a run until told to stop. */
  #hold(id: number): () => void {
    const { store, clock, logger } = this.#deps
    let timer: Timer
    const renewLater = () => {
      timer = clock.after(LEASE / 3, () => {
        store.scans
          .renew(id, clock.now() + LEASE)
          .catch(error => logger.warn('Cannot renew the lease of a scan', { error }))
        renewLater()
      })
    }
    renewLater()
    return () => timer.cancel()
  }

  async #outcome(category: Category, scanner: Scanner, traceparent: string): Promise<ScanOutcome> {
    const { store, clock, logger, maxResults } = this.#deps
    const unavailable = scanner.unavailable()
    if (unavailable !== undefined) return { ...NOTHING, status: 'SKIPPED', errorDetails: unavailable }
    const limit = new AbortController()
    const timer = clock.after(LIMIT, () => limit.abort(new Error(`It took longer than ${LIMIT / 60_000} minutes`)))
    const { keywords, negativeKeywords } = category
    try {
      const signal = AbortSignal.any([limit.signal, this.#closing.signal])
      const found = await scanner.scan({ keywords, negativeKeywords, maxResults, signal })
      // The same piece comes by many addresses, from several sources too.
      const topics = found.topics.map(topic => ({
        ...topic,
        canonicalUrl: canonicalUrl(topic.canonicalUrl ?? topic.url),
      }))
      // Only what is kept together with the topics may make the next scan ask for changes alone.
      const added = await store.transaction(async tables => {
        const now = clock.now()
        const fresh = await tables.topics.add(topics, category.id, now, traceparent)
        await found.acknowledge?.(tables.memory, now)
        return fresh
      })
      return {
        status: 'COMPLETED',
        topicsFound: found.topics.length,
        topicsNew: added,
        errors: found.problems.length,
        errorDetails: found.problems.length === 0 ? null : found.problems.join('; '),
        requests: found.requests,
        notModified: found.notModified,
        quotaRemaining: found.quotaRemaining ?? null,
      }
    } catch (error) {
      const errorDetails = error instanceof Error ? error.message : String(error)
      if (error instanceof SourcePaused) return { ...NOTHING, status: 'SKIPPED', errorDetails: paused(error) }
      logger.warn('Scan failed', { source: scanner.type, category: category.name, error })
      return { ...NOTHING, status: 'FAILED', errors: 1, errorDetails }
    } finally {
      timer.cancel()
    }
  }
}

function paused({ message, until }: SourcePaused): string {
  return until === undefined ? message : `${message} (paused until ${new Date(until).toISOString()})`
}

const NOTHING = { topicsFound: 0, topicsNew: 0, errors: 0, requests: 0, notModified: 0, quotaRemaining: null }
