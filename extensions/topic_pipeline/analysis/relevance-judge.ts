import type { Logger, Recorders } from '#core/component'
import {
  type CallOptions,
  type EmbeddingSpace,
  type LanguageModel,
  ModelError,
} from '../language_model/language-model.ts'
import type { Category } from '../model/category.ts'
import { type AnalysisOptions, RELEVANCE_THRESHOLD } from './analysis-options.ts'
import type { Examination } from './examination.ts'
import { categoryText, cheapRelevance, isHopeless, type RelevanceParts, relevanceScore } from './relevance.ts'
import { rubricRequest, type Verdict, verdictOf } from './rubric.ts'
import { summaryOf } from './summary.ts'
import { tagsOf } from './tags.ts'
import type { analysisInstruments } from './telemetry.ts'

/** A topic whose category is gone is relevant to nobody and against nobody. */
const UNDECIDED = 0.5
/** Vectors of categories that are kept. */
const KEPT_CATEGORIES = 200

/** How a topic is judged, for one attempt. */
export interface Attempt extends Pick<CallOptions, 'signal' | 'traceparent'> {
  /** A model that is busy is done without. */
  readonly last: boolean
}

export interface JudgeDeps {
  readonly model: LanguageModel
  readonly logger: Logger
  readonly recorders: Recorders<typeof analysisInstruments>
  readonly options: AnalysisOptions
  readonly attempt: Attempt
  /** Vectors of category texts by space and text. */
  readonly categories: Map<string, Float32Array>
}

/** Finds out how relevant a topic is, what it says in short and what it is about. */
export class RelevanceJudge {
  readonly #deps: JudgeDeps

  constructor(deps: JudgeDeps) {
    this.#deps = deps
  }

  /** What vectors are near by. */
  get space(): EmbeddingSpace | undefined {
    return this.#deps.model.embedding
  }

  /**
   * Adds the vector to the examination. `undefined`: there is none.
   * @throws {ModelError} `busy`, unless this is the last attempt
   */
  async embed(examination: Examination): Promise<Float32Array | undefined> {
    examination.vector = await this.#embedded(examination.subject.embedded, examination)
    return examination.vector
  }

  /**
   * Adds relevance, summary and tags to the examination.
   * @returns from where it is relevant
   * @throws {ModelError} `busy`, unless this is the last attempt
   */
  async judge(examination: Examination): Promise<number> {
    const { subject, category } = examination
    const cheap =
      category === undefined
        ? { parts: {}, lexical: undefined }
        : cheapRelevance(subject, category, await this.#similarity(category, examination), this.space)
    const verdict = category === undefined ? undefined : await this.#verdict(examination, category, cheap.parts)
    const parts = { ...cheap.parts, ...(verdict !== undefined && { llm: verdict.score }) }
    if (category === undefined) examination.notes.push('The topic has no category that it could be relevant to')
    const known = Object.keys(parts).length > 0
    examination.relevance = {
      score: known ? relevanceScore(parts, examination.penalty) : UNDECIDED,
      parts: { ...parts, ...verdict?.parts },
    }
    examination.summary = verdict?.summary || summaryOf(subject.body) || subject.topic.title
    examination.tags = verdict?.tags.length ? verdict.tags : tagsOf(subject, cheap.lexical?.found ?? [])
    if (verdict === undefined) return known ? this.#threshold('heuristic') : 0
    examination.method = 'llm'
    examination.language ??= verdict.language
    if (verdict.promotional) examination.notes.push('The language model calls it promotional')
    return this.#threshold('llm')
  }

  #threshold(method: keyof typeof RELEVANCE_THRESHOLD): number {
    return this.#deps.options.relevanceThreshold ?? RELEVANCE_THRESHOLD[method]
  }

  async #verdict(examination: Examination, category: Category, parts: RelevanceParts): Promise<Verdict | undefined> {
    const { model } = this.#deps
    if (model.kind !== 'model') return undefined
    if (isHopeless(parts)) {
      examination.notes.push('No language model was asked: neither keywords nor vectors speak for the topic')
      return undefined
    }
    const request = { ...rubricRequest(examination.subject, category), ...this.#call(examination) }
    return this.#orWithout(examination, async () => verdictOf((await model.complete(request)).json))
  }

  /** Cosine of topic and category. */
  async #similarity(category: Category, examination: Examination): Promise<number | undefined> {
    const { vector } = examination
    if (vector === undefined) return undefined
    const { categories, model } = this.#deps
    const text = categoryText(category)
    const key = `${model.embedding?.model}\n${text}`
    const theirs = categories.get(key) ?? (await this.#embedded(text, examination))
    if (theirs === undefined) return undefined
    if (categories.size >= KEPT_CATEGORIES) categories.clear()
    categories.set(key, theirs)
    return vector.reduce((sum, value, i) => sum + value * theirs[i]!, 0)
  }

  async #embedded(text: string, examination: Examination): Promise<Float32Array | undefined> {
    const { model } = this.#deps
    if (model.embedding === undefined) return undefined
    return this.#orWithout(examination, async () => (await model.embed([text], this.#call(examination)))[0])
  }

  #call({ subject }: Examination): CallOptions {
    const { signal, traceparent } = this.#deps.attempt
    const topicId = subject.topic.id
    return { topicId, ...(signal !== undefined && { signal }), ...(traceparent !== undefined && { traceparent }) }
  }

  /** What a model cannot or will not do is done without it. */
  async #orWithout<T>(examination: Examination, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ModelError) || (error.reason === 'busy' && !this.#deps.attempt.last)) throw error
      this.#deps.recorders.degraded.add(1, { reason: error.reason })
      this.#deps.logger.debug('A topic is analysed without a language model', {
        topic: examination.subject.topic.id,
        error: error.message,
      })
      const note = `Done without a language model: ${error.message}`
      if (!examination.notes.includes(note)) examination.notes.push(note)
      return undefined
    }
  }
}
