import type { ContentType, OutputFormat } from './stages.ts'

/** How somebody writes, as the requirement names it: exactly these nine fields. */
export interface StyleProfile {
  readonly tone: string
  readonly avg_sentence_length: string
  readonly vocabulary_complexity: string
  readonly structural_patterns: readonly string[]
  readonly use_of_examples: boolean
  readonly use_of_analogies: boolean
  readonly first_person: boolean
  readonly typical_intro_style: string
  readonly typical_conclusion_style: string
}

/** A piece of the user's own writing. Times in milliseconds since the Unix epoch. */
export interface Upload {
  readonly id: number
  readonly title: string
  readonly content: string
  readonly contentType: ContentType
  readonly sourceUrl: string | null
  readonly wordCount: number
  readonly profile: StyleProfile | null
  readonly analyzedAt: number | null
  /** The model of its embedding, `null` while there is none. */
  readonly embeddingModel: string | null
  readonly createdAt: number
}

export type NewUpload = Pick<Upload, 'title' | 'content' | 'contentType' | 'sourceUrl' | 'wordCount'>

/** The cached composite of all analysed uploads. */
export interface CompositeProfile {
  readonly profile: StyleProfile
  /** Hash of the uploads and analyses that it was made of. */
  readonly madeOf: string
}

/** One numbered reference of a draft. */
export interface DraftSource {
  /** `S1`, `S2`, … as the text cites it. */
  readonly marker: string
  readonly topicId: number
  readonly title: string
  readonly url: string
  readonly author: string | null
  readonly licence: string | null
  /** SHA-256 of the text that was given to the model, in hex. */
  readonly excerptHash: string
}

/** Whether a draft keeps one of its format's promises. */
export interface DraftCheck {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
}

export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Counted by us from the length of the text, because the provider did not tell. */
  readonly estimated: boolean
}

/** How near a draft comes to the user's own texts, by counting words and sentences, not by a model's opinion. */
export interface StyleMatch {
  readonly status: 'measured' | 'insufficient_data'
  /** 0: like anybody's text; 1: as near as the user's texts are to each other. */
  readonly score?: number
  /** Sentences for people. */
  readonly notes: readonly string[]
}

/** A generated text with everything it was made of. */
export interface Draft {
  readonly id: number
  readonly topicId: number | null
  readonly groupId: string | null
  readonly format: OutputFormat
  readonly text: string
  readonly model: string
  /** The feedback that this draft got, which led to another. */
  readonly feedback: string | null
  readonly parentId: number | null
  /** 0 for the first of its topic or group and format. */
  readonly revision: number
  readonly sources: readonly DraftSource[]
  /** Uploads that were shown to the model as examples, with their cosine similarity. */
  readonly references: readonly { readonly uploadId: number; readonly title: string; readonly similarity: number }[]
  readonly usage: TokenUsage | null
  /** US dollars, `null` when the model's price is not known. */
  readonly cost: number | null
  readonly checks: readonly DraftCheck[]
  readonly styleMatch: StyleMatch | null
  /** At most 5000 characters of it. */
  readonly promptUsed: string
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number
  readonly topicTitle: string | null
}

export type NewDraft = Omit<Draft, 'id' | 'createdAt' | 'topicTitle' | 'feedback' | 'revision'>
