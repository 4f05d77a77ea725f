import type { Category } from '../model/category.ts'
import type { ScoreReasons } from '../model/topic.ts'
import type { AnalysisResult } from '../store/store.ts'
import { type Fingerprint, fingerprintOf } from './duplicates.ts'
import type { Neighbourhood } from './neighbours.ts'
import type { QualityScore } from './quality.ts'
import type { Subject } from './subject.ts'

/** What is known about a topic while it goes through the filters; each of them adds to it. */
export class Examination {
  readonly subject: Subject
  readonly category: Category | undefined
  readonly notes: string[] = []
  method: ScoreReasons['method'] = 'heuristic'
  /** What relevance is multiplied by, for negative keywords in the body. */
  penalty = 1
  language: string | null = null
  quality: QualityScore | undefined
  relevance: { readonly score: number; readonly parts: Readonly<Record<string, number>> } | undefined
  vector: Float32Array | undefined
  /** What its vector is near to; `undefined` without one. */
  neighbourhood: Neighbourhood | undefined
  summary: string | undefined
  tags: readonly string[] | undefined
  #fingerprint: Fingerprint | undefined

  constructor(subject: Subject, category: Category | undefined) {
    this.subject = subject
    this.category = category
  }

  get fingerprint(): Fingerprint {
    this.#fingerprint ??= fingerprintOf(this.subject)
    return this.#fingerprint
  }

  get reasons(): ScoreReasons {
    return {
      method: this.method,
      ...(this.quality !== undefined && { quality: { ...this.quality.parts } }),
      ...(this.relevance !== undefined && { relevance: this.relevance.parts }),
      notes: [...(this.quality?.notes ?? []), ...this.notes],
    }
  }

  /** What is known of a topic that was rejected. */
  get partial(): Partial<AnalysisResult> {
    const { language, quality, relevance, summary, tags } = this
    return {
      reasons: this.reasons,
      ...(language !== null && { language }),
      ...(quality !== undefined && { qualityScore: quality.score }),
      ...(relevance !== undefined && { relevanceScore: relevance.score }),
      ...(summary !== undefined && { summary }),
      ...(tags !== undefined && { tags }),
    }
  }
}
