import type { ExtractionStatus, TopicStage } from './stages.ts'

/** What a scanner found at a source, before anything was decided about it. */
export interface FoundTopic {
  /** A scanner's type, for example `devto`. */
  readonly sourceType: string
  /** The source's own id of it. */
  readonly externalId: string
  /** Plain text: no tags, no character references. */
  readonly title: string
  readonly url: string
  /** Where the author published it first, when the source says so; takes part in finding duplicates. */
  readonly canonicalUrl?: string
  /** When the source published it, in milliseconds since the Unix epoch. */
  readonly sourceDate?: number
  /** Body as the source's API gave it: Markdown or plain text, never HTML. */
  readonly content?: string
  /** The body is all there is, so the page need not be fetched. */
  readonly complete?: boolean
  readonly tags?: readonly string[]
  readonly author?: string
  readonly authorUrl?: string
  /** For example `CC BY-SA 4.0`; sources that demand attribution say so here. */
  readonly licence?: string
  /** What readers did with it, by the source's own counts. */
  readonly engagement?: Engagement
}

/** A source's own counts of what readers did; what it does not tell is absent. */
export interface Engagement {
  /** Votes, reactions or likes. */
  readonly score?: number
  readonly comments?: number
  readonly views?: number
  /** A question has an answer that its author accepted. */
  readonly accepted?: boolean
}

/** A topic as the store keeps it. Times in milliseconds since the Unix epoch. */
export interface Topic extends Omit<FoundTopic, 'tags' | 'complete'> {
  readonly id: number
  readonly categoryId: number | null
  readonly collectedAt: number
  readonly stage: TopicStage
  readonly complete: boolean
  /** Tags of the source until it is analyzed, afterwards those of the analysis. */
  readonly tags: readonly string[]
  readonly extractionStatus: ExtractionStatus
  /** Markdown. */
  readonly extractedContent: string | null
  /** ISO 639-1, for example `en`. */
  readonly language: string | null
  /** 0 to 1. */
  readonly qualityScore: number | null
  /** 0 to 1. */
  readonly relevanceScore: number | null
  readonly summary: string | null
  readonly groupId: string | null
  /** `<filter>: <why>` */
  readonly rejectionReason: string | null
  /** What every score was made of, so that each can be explained. */
  readonly reasons: ScoreReasons | null
}

/** The parts of the scores, each 0 to 1, and how the analysis was made. */
export interface ScoreReasons {
  readonly method: 'heuristic' | 'llm'
  readonly quality?: Readonly<Record<string, number>>
  readonly relevance?: Readonly<Record<string, number>>
  /** Sentences for people. */
  readonly notes: readonly string[]
}
