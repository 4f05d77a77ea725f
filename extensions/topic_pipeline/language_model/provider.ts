import type { JsonSchema } from '#core/component'
import type { Task } from './language-model.ts'
import type { Patience } from './patience.ts'

/** Somebody who answers: speaks one API, knows nothing of budgets, spans and other providers. */
export interface Provider {
  /** `gen_ai.provider.name`: `openai`, `anthropic`, `local`, or what the configuration calls it. */
  readonly name: string
  /** Answers without leaving the process, for nothing. */
  readonly local: boolean
  readonly server: ServerAddress | undefined
  /** Ways in which it can be asked for JSON, the strictest first; the last one is always understood. */
  readonly formats: readonly Format[]
  /** `undefined`: it does not take the task. */
  modelFor(task: Task): string | undefined
  /** @throws {ProviderFault} */
  chat(call: ChatCall, patience: Patience): Promise<ChatAnswer>
  /** Vectors as they came, in the order of `texts`. @throws {ProviderFault} */
  embed?(call: EmbedCall, patience: Patience): Promise<EmbedAnswer>
}

export interface ServerAddress {
  readonly address: string
  readonly port: number
}

/** `schema`: the API enforces the schema; `json`: it enforces JSON; `text`: the prompt alone asks for it. */
export type Format = 'schema' | 'json' | 'text'

export interface ChatCall {
  readonly model: string
  readonly system: string
  /** Begins and ends with the user's. */
  readonly turns: readonly Turn[]
  readonly format: Format
  readonly schema?: { readonly name: string; readonly schema: JsonSchema }
  readonly maxTokens: number
  readonly temperature?: number
  readonly material?: unknown
}

export interface Turn {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

export interface ChatAnswer {
  readonly text: string
  /** `cut`: the limit of tokens was reached; `refused`: the provider's policy, or the model itself. */
  readonly finish: 'complete' | 'cut' | 'refused'
  readonly details: AnswerDetails
}

export interface EmbedCall {
  readonly model: string
  readonly texts: readonly string[]
  /** Asks for vectors of this length. */
  readonly dimensions?: number
}

export interface EmbedAnswer {
  readonly vectors: readonly (readonly number[] | Float32Array)[]
  readonly details: AnswerDetails
}

/** What a provider tells about an answer. */
export interface AnswerDetails {
  readonly id?: string
  readonly model?: string
  readonly finishReason?: string
  readonly inputTokens?: number
  readonly outputTokens?: number
  /** Part of `inputTokens`. */
  readonly cachedTokens?: number
  /** Part of `outputTokens`. */
  readonly reasoningTokens?: number
  /** Requests that it took, when more than one. */
  readonly requests?: number
}

/** A call that brought no answer. Its message holds neither keys nor prompts. */
export class ProviderFault extends Error {
  override name = 'ProviderFault'
  /** The HTTP status, or `network`, `timeout`, `answer` (not what the API promises). */
  readonly type: number | 'network' | 'timeout' | 'answer'
  /** Milliseconds, where the provider said so. */
  readonly retryAfter: number | undefined
  constructor(type: ProviderFault['type'], message: string, options?: ErrorOptions & { readonly retryAfter?: number }) {
    super(message, options)
    this.type = type
    this.retryAfter = options?.retryAfter
  }

  /** Whether another attempt may succeed. */
  get transient(): boolean {
    if (typeof this.type !== 'number') return this.type !== 'answer'
    return this.type === 408 || this.type === 409 || this.type === 429 || this.type >= 500
  }
}
