/** What an analysis goes by. */
export interface AnalysisOptions {
  /** 0 to 1. */
  readonly qualityThreshold: number
  /** 0 to 1. `undefined`: {@link RELEVANCE_THRESHOLD}. */
  readonly relevanceThreshold: number | undefined
  /** ISO 639-1. Empty: all are taken. */
  readonly languages: readonly string[]
  /** Characters that a topic of a source must have; `undefined`: {@link MINIMUM_LENGTH}. */
  minimumLength?(sourceType: string): number | undefined
}

/** How one analysis is made. */
export interface AnalyzeOptions {
  /** There will be no other attempt: a language model that is busy is done without. */
  readonly lastAttempt?: boolean
  /** W3C `traceparent` of the run of the job: calls to models are its children. */
  readonly traceparent?: string
}

/**
 * From where topics are relevant, with what a language model says and without. With one, an article that is mostly about
 * the category passes, one that touches on it does not.
 */
export const RELEVANCE_THRESHOLD = { llm: 0.6, heuristic: 0.3 } as const
export const MINIMUM_LENGTH = 200
