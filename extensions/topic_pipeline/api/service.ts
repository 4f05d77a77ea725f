import type { Clock, Logger } from '#core/component'
import type { GenerationOrder } from '../model/job.ts'
import type { Topic } from '../model/topic.ts'
import type { Draft, StyleProfile, Upload } from '../model/writing.ts'
import type { Scanner } from '../scanners/scanner.ts'
import type { TopicStore } from '../store/store.ts'

/** What the REST API asks of the pipeline behind it. */
export interface TopicService {
  readonly store: TopicStore
  readonly clock: Clock
  readonly logger: Logger
  /** All that `GET /api/scanners` tells of. */
  readonly scanners: readonly Scanner[]
  readonly limits: ServiceLimits
  /** Analysed topics that belong with this one, the nearest first. */
  related(topic: Topic, limit: number): Promise<Topic[]>
  /** Starts scans of all enabled categories; `false`: scans are running already. */
  scanAll(): Promise<{ readonly triggered: boolean; readonly message: string }>
  /** Says that jobs were added, so that nobody waits for a timer. */
  wake(): void
  /** Keeps a piece of writing and embeds it, if that can be done. @returns its id */
  upload(upload: UploadRequest): Promise<number>
  /** Fetches the page and keeps its text. @throws {RouteError} */
  importPage(url: string): Promise<number>
  analyzeStyle(upload: Upload): Promise<StyleProfile>
  compositeStyle(): Promise<StyleProfile | undefined>
  /** Writes a draft and waits for it. @throws {RouteError} */
  generate(order: GenerationOrder): Promise<Draft>
  exportDraft(draft: Draft): string
  /** Word by word: what `after` lost and gained. */
  compare(before: Draft, after: Draft): readonly Change[]
}

export interface UploadRequest {
  readonly title: string | undefined
  readonly content: string
  readonly contentType: Upload['contentType']
  readonly sourceUrl: string | null
}

export interface ServiceLimits {
  /** Bytes of UTF-8 in an upload. */
  readonly uploadBytes: number
  readonly regenerations: number
}

export interface Change {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}
