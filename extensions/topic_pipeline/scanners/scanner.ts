import type { FoundTopic } from '../model/topic.ts'
import type { MemoryTable } from '../store/store.ts'

/** A plug-in that looks for topics at one source. */
export interface Scanner {
  /** Lowercase, for example `devto`. */
  readonly type: string
  /** For people, for example `Dev.to`. */
  readonly displayName: string
  /** Least minutes between two scans of a category. */
  readonly minimumInterval: number
  /** Characters that a topic of this source must have to be worth analysing; the pipeline's own when absent. */
  readonly minimumLength?: number
  /** Why it cannot scan, for example `not configured: api_key is missing`; `undefined` when it can. */
  unavailable(): string | undefined
  /**
   * @throws {SourcePaused} when the source asks to be left alone
   * @throws {Error} when it failed
   */
  scan(request: ScanRequest): Promise<ScanResult>
  /** Fetches the whole text of a topic where the source has a better way than the page. `undefined`: take the page. */
  extract?(topic: ExtractRequest): Promise<Extraction | undefined>
}

export interface ScanRequest {
  readonly keywords: readonly string[]
  readonly negativeKeywords: readonly string[]
  readonly maxResults: number
  readonly signal: AbortSignal
}

export interface ScanResult {
  readonly topics: readonly FoundTopic[]
  readonly requests: number
  /** Answers that said that nothing is new. */
  readonly notModified: number
  /** Calls that the source grants until its quota starts anew, where it tells. */
  readonly quotaRemaining?: number
  /** What went wrong with a part while the rest came: one sentence each. */
  readonly problems: readonly string[]
  /**
   * Keeps what the answers said of their freshness, so that the next scan asks for changes only. To be called in the
   * transaction that keeps the topics: then a crash between loses none. Never called, every scan asks for everything.
   */
  acknowledge?(memory: MemoryTable, now: number): Promise<void>
}

export interface ExtractRequest {
  readonly externalId: string
  readonly url: string
  readonly content?: string
  readonly signal: AbortSignal
}

/** Text taken from a page or an API. */
export interface Extraction {
  /** Markdown. */
  readonly text: string
  readonly status: 'COMPLETED' | 'PARTIAL'
  readonly title?: string
  readonly author?: string
  /** From `<link rel=canonical>` or the API. */
  readonly canonicalUrl?: string
}

/** The source asked to be left alone, its quota is used up, or it let nobody in: not a failure of the request. */
export class SourcePaused extends Error {
  override name = 'SourcePaused'
  /** Milliseconds since the Unix epoch; `undefined`: until the next scheduled scan. */
  readonly until: number | undefined
  constructor(message: string, until?: number, options?: ErrorOptions) {
    super(message, options)
    this.until = until
  }
}

/** The request can never succeed: the page is gone, is of a type that cannot be read, or its address is refused. */
export class Unobtainable extends Error {
  override name = 'Unobtainable'
}
