import type { ColumnType, Generated } from 'kysely'
import type { ExtractionStatus, JobStage, JobStatus, TopicStage } from '../model/stages.ts'

/**
 * The tables as the database has them. Times are milliseconds since the Unix epoch, flags 0 or 1, lists and records JSON
 * text, so that both databases hold the same.
 */
export interface Schema {
  readonly categories: CategoryRow
  readonly topics: TopicRow
  readonly topic_texts: TopicTextRow
  readonly topic_bands: { readonly topic_id: number; readonly band: number }
  readonly topic_groups: GroupRow
  readonly jobs: JobRow
  readonly scans: ScanRow
  readonly memory: MemoryRow
  readonly uploads: UploadRow
  readonly composite_profile: CompositeRow
  readonly drafts: DraftRow
  readonly vectors: VectorRow
  readonly model_calls: ModelCallRow
  readonly counters: CounterRow
}

type Id = Generated<number>
type WithDefault<T> = ColumnType<T, T | undefined, T>

export interface CategoryRow {
  readonly id: Id
  readonly name: string
  readonly description: string
  readonly keywords: string
  readonly negative_keywords: string
  readonly sources: string
  readonly scan_frequency: number
  readonly scan_cron: string | null
  readonly enabled: number
  readonly created_at: number
}

export interface TopicRow {
  readonly id: Id
  readonly category_id: number | null
  readonly stage: TopicStage
  readonly collected_at: number
  readonly source_type: string
  readonly quality_score: number | null
  readonly relevance_score: number | null
  /** SHA-256 of source and external id: an index has no place for a long one. */
  readonly external_hash: string
  /** SHA-256 of the canonical URL, or of the URL where there is none. */
  readonly url_hash: string
  readonly external_id: string
  readonly title: string
  readonly url: string
  readonly canonical_url: string | null
  readonly source_date: number | null
  readonly author: string | null
  readonly author_url: string | null
  readonly licence: string | null
  readonly engagement: string | null
  readonly engagement_score: number | null
  readonly tags: string
  readonly complete: number
  readonly extraction_status: ExtractionStatus
  readonly language: string | null
  readonly group_id: string | null
  readonly rejection_reason: string | null
  readonly reasons: string | null
  readonly summary: string | null
  /** Title and summary in lower case, for filters that ignore it. */
  readonly search_text: string
}

/** The long texts of a topic, apart from what lists and filters read; absent while there are none. */
export interface TopicTextRow {
  readonly topic_id: number
  readonly content: string | null
  readonly extracted_content: string | null
}

export interface GroupRow {
  readonly seq: Id
  readonly id: string
  readonly model: string
  /** Sum of the members' vectors, 32-bit floats, little endian. */
  readonly sum: Uint8Array
  readonly created_at: number
}

export interface JobRow {
  readonly id: Id
  readonly stage: JobStage
  readonly status: JobStatus
  readonly topic_id: number | null
  readonly generation_order: string | null
  /** What a GENERATE job writes about, as {@link DraftRow.target}; `null` for other stages. */
  readonly target: string | null
  readonly format: string | null
  readonly regenerates: number
  readonly attempts: WithDefault<number>
  readonly stalls: WithDefault<number>
  readonly run_at: number
  readonly lease_until: number | null
  readonly fence: WithDefault<number>
  readonly owner: string | null
  readonly error_message: string | null
  readonly traceparent: string | null
  readonly created_at: number
  readonly completed_at: number | null
}

export interface ScanRow {
  readonly id: Id
  readonly category_id: number | null
  readonly category_name: string | null
  readonly source: string
  readonly status: 'RUNNING' | 'COMPLETED' | 'SKIPPED' | 'FAILED'
  readonly topics_found: WithDefault<number>
  readonly topics_new: WithDefault<number>
  readonly errors: WithDefault<number>
  readonly error_details: string | null
  readonly requests: WithDefault<number>
  readonly not_modified: WithDefault<number>
  readonly quota_remaining: number | null
  readonly lease_until: number
  readonly started_at: number
  readonly completed_at: number | null
}

export interface MemoryRow {
  readonly section: string
  readonly key: string
  readonly value: string
  readonly set_at: number
}

export interface UploadRow {
  readonly id: Id
  readonly title: string
  readonly content_type: string
  readonly source_url: string | null
  readonly word_count: number
  readonly profile: string | null
  readonly analyzed_at: number | null
  readonly created_at: number
  readonly content: string
}

/** At most one row, with id 1. */
export interface CompositeRow {
  readonly id: number
  readonly profile: string
  readonly made_of: string
  readonly set_at: number
}

export interface DraftRow {
  readonly id: Id
  /** `topic:<id>` or `group:<id>`. */
  readonly target: string
  readonly topic_id: number | null
  readonly group_id: string | null
  readonly format: string
  readonly model: string
  readonly feedback: string | null
  readonly parent_id: number | null
  readonly revision: number
  readonly sources: string
  readonly references: string
  readonly usage: string | null
  readonly cost: number | null
  readonly checks: string
  readonly style_match: string | null
  readonly created_at: number
  /** 1 once it is deleted: its texts are gone, its place in the count of revisions stays. */
  readonly deleted: WithDefault<number>
  readonly prompt_used: string
  readonly text: string
}

/** `subject` is what `ref` counts: topics, uploads, or groups by {@link GroupRow.seq}. */
export interface VectorRow {
  /** Of the embedded store: grows with each change. */
  readonly version: Id
  readonly subject: VectorSubject
  readonly ref: number
  readonly model: string
  readonly set_at: number
  /** 32-bit floats, little endian, in the embedded store; a `vector` of pgvector in PostgreSQL. */
  readonly embedding: Uint8Array
}

export type VectorSubject = 'topic' | 'upload' | 'group'

export interface ModelCallRow {
  readonly id: Id
  readonly task: string
  readonly provider: string
  readonly model: string
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cost: number | null
  readonly topic_id: number | null
  readonly at: number
}

/**
 * Counts kept with every change, because counting 100,000 rows takes too long. `topics`: stage, category id or empty,
 * source type. `jobs`: stage, status. Those who write at the same time have a slot each and never wait for each other;
 * a count is the sum of all slots.
 */
export interface CounterRow {
  readonly kind: 'topics' | 'jobs'
  readonly a: string
  readonly b: string
  readonly c: string
  readonly slot: number
  readonly count: number
}
