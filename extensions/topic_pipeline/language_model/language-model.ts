import type { JsonSchema } from '#core/component'
import type { TokenUsage } from '../model/writing.ts'

/** What a call is for; each may have a model of its own. */
export const TASKS = ['RELEVANCE', 'CLASSIFICATION', 'SUMMARIZATION', 'EMBEDDING', 'GENERATION'] as const
export type Task = (typeof TASKS)[number]

/** Language models by task, with retries, fallback, budget and accounting behind it. */
export interface LanguageModel {
  /** Whether some provider takes the task, within the budget. */
  available(task: Task): Promise<boolean>
  /** Why the task cannot be done now, for people; `undefined` when it can. */
  unavailable(task: Task): Promise<string | undefined>
  /** @throws {ModelError} */
  complete(request: CompletionRequest): Promise<Completion>
  /** Unit vectors in the order of `texts`. @throws {ModelError} */
  embed(texts: readonly string[], options?: CallOptions): Promise<readonly Float32Array[]>
  /** What vectors mean and when they are near; `undefined` when no provider embeds. */
  readonly embedding: EmbeddingSpace | undefined
  /** Whether chat tasks go to a model at all, or to the deterministic local provider. */
  readonly kind: 'model' | 'local' | 'none'
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** The topic that pays for it. */
  readonly topicId?: number
  /** W3C `traceparent` of what asks: the call's span becomes its child. */
  readonly traceparent?: string
}

export interface CompletionRequest extends CallOptions {
  readonly task: Exclude<Task, 'EMBEDDING'>
  readonly system: string
  readonly prompt: string
  /** The answer is JSON of this schema: checked, repaired once. */
  readonly schema?: { readonly name: string; readonly schema: JsonSchema }
  readonly maxTokens?: number
  /** 0 to 2. */
  readonly temperature?: number
  /** What the deterministic local provider works from, because it reads no prompts: a `LocalMaterial`. */
  readonly material?: unknown
}

export interface Completion {
  readonly text: string
  /** The checked JSON when a schema was asked for. */
  readonly json?: unknown
  readonly provider: string
  readonly model: string
  readonly usage: TokenUsage | null
  /** US dollars, `null` when the price is not known. */
  readonly cost: number | null
}

export interface EmbeddingSpace {
  /** Names provider and model: vectors of different spaces are never compared. */
  readonly model: string
  readonly dimensions: number
  /** `lexical` finds the same words, not the same meaning. */
  readonly kind: 'semantic' | 'lexical'
  /** Cosine similarities from which two texts are the same, of one group, related. */
  readonly thresholds: { readonly duplicate: number; readonly group: number; readonly related: number }
}

/** A call that did not bring an answer, after retries and fallback. */
export class ModelError extends Error {
  override name = 'ModelError'
  /**
   * `unconfigured` and `budget`: nobody was asked; `busy`: ask again later; `invalid`: the answer cannot be used;
   * `refused`: the provider will not.
   */
  readonly reason: 'unconfigured' | 'budget' | 'busy' | 'invalid' | 'refused'
  /** Milliseconds to wait, where the provider said so. */
  readonly retryAfter: number | undefined
  constructor(reason: ModelError['reason'], message: string, retryAfter?: number, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
    this.retryAfter = retryAfter
  }
}
