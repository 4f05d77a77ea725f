import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { FoundTopic } from '../model/topic.ts'
import { createKeywordFilter } from './keywords.ts'
import { type ScanRequest, type ScanResult, SourcePaused } from './scanner.ts'
import { keepValidators, type Validator, validatorKey } from './validators.ts'

/** Most requests that the keywords of a category make at a source. */
const MAX_QUERIES = 20
/** Characters that are searched in one go, before others have their turn. */
const IN_ONE_GO = 200_000

/** One scan: counts what it costs, collects what it finds and what goes wrong. */
export class ScanSession {
  readonly signal: AbortSignal
  /** Names what is looked for. */
  readonly search: string
  requests = 0
  notModified = 0
  quotaRemaining: number | undefined
  readonly problems: string[] = []
  /** What answers said of their freshness; kept once the topics are. */
  readonly validators = new Map<string, Validator>()
  readonly #request: ScanRequest

  constructor(request: ScanRequest) {
    this.#request = request
    this.signal = request.signal
    const { keywords, negativeKeywords, maxResults } = request
    this.search = createHash('sha256')
      .update(JSON.stringify([keywords, negativeKeywords, maxResults]))
      .digest('base64url')
  }

  /** The first of what is to be asked for, so that a long list does not use up what a source grants. */
  firstOf<T>(queries: readonly T[]): readonly T[] {
    if (queries.length > MAX_QUERIES) {
      this.problems.push(`Only the first ${MAX_QUERIES} of ${queries.length} keywords were asked for`)
    }
    return queries.slice(0, MAX_QUERIES)
  }

  /** What came from there was of no use, so it is to be asked for again. */
  forget(url: string): void {
    this.validators.delete(validatorKey(url, this.search))
  }

  /**
   * Looks at one part after the other. A part that fails is a problem as long as another one succeeds; when the source
   * wants to be left alone, what has been found until then is enough. Independent parts are of sources of their own.
   * @throws {SourcePaused} before any part succeeded
   * @throws {Error} when no part succeeded
   */
  async gather<T>(
    parts: readonly T[],
    look: (part: T) => Promise<readonly FoundTopic[]>,
    { independent = false }: { readonly independent?: boolean } = {},
  ): Promise<FoundTopic[]> {
    const found: FoundTopic[] = []
    const pauses: SourcePaused[] = []
    let succeeded = 0
    for (const part of parts) {
      try {
        found.push(...(await look(part)))
        succeeded++
      } catch (error) {
        this.signal.throwIfAborted()
        const paused = error instanceof SourcePaused
        if (paused && succeeded === 0 && !independent) throw error
        if (paused) pauses.push(error)
        this.problems.push(error instanceof Error ? error.message : String(error))
        if (paused && !independent) break
      }
    }
    if (pauses.length === parts.length && pauses[0] !== undefined) throw pauses[0]
    if (succeeded === 0 && parts.length > 0) throw new Error(this.problems.join('; '))
    return found
  }

  /** What was looked for among what was found: each once, newest first, none without a title. */
  async result(found: readonly FoundTopic[]): Promise<ScanResult> {
    const { keywords, negativeKeywords, maxResults } = this.#request
    const filter = createKeywordFilter(keywords, negativeKeywords)
    const unique = new Map<string, FoundTopic>()
    let searched = 0
    for (const topic of found) {
      searched += topic.content?.length ?? 0
      if (searched > IN_ONE_GO) {
        searched = 0
        await setImmediate()
      }
      if (topic.title.trim() === '' || unique.has(topic.externalId)) continue
      if (filter.accepts(topic)) unique.set(topic.externalId, clean(topic))
    }
    const topics = [...unique.values()].sort((a, b) => (b.sourceDate ?? 0) - (a.sourceDate ?? 0)).slice(0, maxResults)
    const { requests, notModified, quotaRemaining, validators } = this
    return {
      topics,
      requests,
      notModified,
      problems: [...new Set(this.problems)],
      ...(quotaRemaining === undefined ? {} : { quotaRemaining }),
      acknowledge: (memory, now) => keepValidators(memory, validators, now),
    }
  }
}

/** Characters of one text, and of the names in a list of tags, and how many of those. */
const LONGEST: Readonly<Record<string, number>> = { title: 500, content: 500_000, author: 200, licence: 100 }
const LONGEST_TAG = 100
const MOST_TAGS = 50

/** Nothing is longer than anybody reads, databases take no NUL, and half a surrogate pair is no character. */
function clean(topic: FoundTopic): FoundTopic {
  const entries = Object.entries(topic).map(([name, value]) => {
    if (typeof value === 'string') return [name, cleanText(value, LONGEST[name] ?? 4_000)]
    if (!Array.isArray(value)) return [name, value]
    return [name, value.slice(0, MOST_TAGS).map(tag => cleanText(String(tag), LONGEST_TAG))]
  })
  return Object.fromEntries(entries) as FoundTopic
}

function cleanText(text: string, most: number): string {
  return text.slice(0, most).replaceAll('\0', '').toWellFormed()
}
