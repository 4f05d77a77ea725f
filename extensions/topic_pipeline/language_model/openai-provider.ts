import type { ProviderConfig } from './config.ts'
import { JsonApi, type JsonApiDeps } from './json-api.ts'
import type { Task } from './language-model.ts'
import { modelOf } from './models.ts'
import type { Patience } from './patience.ts'
import {
  type AnswerDetails,
  type ChatAnswer,
  type ChatCall,
  type EmbedAnswer,
  type EmbedCall,
  type Provider,
  ProviderFault,
  type ServerAddress,
} from './provider.ts'
import { strictSchema } from './strict-schema.ts'

/** What a model of the OpenAI API turned out not to take. */
interface Dialect {
  maxTokens: 'max_tokens' | 'max_completion_tokens'
  temperature: boolean
}

type Json = Record<string, unknown>

/** Any server with `/chat/completions` and `/embeddings`: OpenAI, Ollama, llama.cpp, vLLM, LM Studio. */
export class OpenAiProvider implements Provider {
  readonly name: string
  readonly local = false
  readonly formats = ['schema', 'json', 'text'] as const
  readonly #models: ProviderConfig['models']
  readonly #api: JsonApi
  readonly #dialects = new Map<string, Dialect>()
  readonly #extra: Json

  constructor(config: ProviderConfig, maxRetries: number, deps: JsonApiDeps) {
    this.name = config.name || 'openai'
    this.#models = config.models
    this.#extra = config.extra_body
    const headers = { ...(config.api_key && { authorization: `Bearer ${config.api_key}` }), ...config.headers }
    const baseUrl = config.base_url || 'https://api.openai.com/v1'
    const secrets = [config.api_key, ...Object.values(config.headers)]
    this.#api = new JsonApi({ baseUrl, headers, secrets, maxRetries }, deps)
  }

  get server(): ServerAddress {
    return this.#api.server
  }

  modelFor(task: Task): string | undefined {
    return modelOf(this.#models, task)
  }

  async chat(call: ChatCall, patience: Patience): Promise<ChatAnswer> {
    const dialect = this.#dialects.get(call.model) ?? { maxTokens: 'max_tokens', temperature: true }
    for (;;) {
      try {
        return readChat(
          await this.#api.post('/chat/completions', { ...chatBody(call, dialect), ...this.#extra }, patience),
        )
      } catch (error) {
        if (!(error instanceof ProviderFault) || error.type !== 400 || !adapt(dialect, error.message)) throw error
        this.#dialects.set(call.model, dialect)
      }
    }
  }

  async embed(call: EmbedCall, patience: Patience): Promise<EmbedAnswer> {
    const body = { model: call.model, input: call.texts, encoding_format: 'float', dimensions: call.dimensions }
    const answer = await this.#api.post('/embeddings', body, patience)
    return { vectors: readVectors(answer.body, call.texts.length), details: detailsOf(answer.body, answer.requests) }
  }
}

function chatBody(call: ChatCall, dialect: Dialect): Json {
  const messages = [
    { role: 'system', content: call.system },
    ...call.turns.map(turn => ({ role: turn.role, content: turn.text })),
  ]
  return {
    model: call.model,
    messages,
    [dialect.maxTokens]: call.maxTokens,
    temperature: dialect.temperature ? call.temperature : undefined,
    response_format: responseFormat(call),
  }
}

function responseFormat({ format, schema }: ChatCall): Json | undefined {
  if (schema === undefined || format === 'text') return undefined
  if (format === 'json') return { type: 'json_object' }
  return {
    type: 'json_schema',
    json_schema: { name: schema.name, strict: true, schema: strictSchema(schema.schema) },
  }
}

/** Newer models want another name for the limit and no temperature. `false`: that is not what the server complains about. */
function adapt(dialect: Dialect, complaint: string): boolean {
  if (dialect.maxTokens === 'max_tokens' && complaint.includes('max_completion_tokens')) {
    dialect.maxTokens = 'max_completion_tokens'
    return true
  }
  if (dialect.temperature && /temperature/i.test(complaint)) {
    dialect.temperature = false
    return true
  }
  return false
}

function readChat({ body, requests }: { readonly body: Json; readonly requests: number }): ChatAnswer {
  const choice = objectOf(Array.isArray(body.choices) ? body.choices[0] : undefined)
  const message = objectOf(choice?.message)
  if (choice === undefined || message === undefined) {
    throw new ProviderFault('answer', 'The answer has no choices[0].message')
  }
  const finishReason = typeof choice.finish_reason === 'string' ? choice.finish_reason : undefined
  const refusal = typeof message.refusal === 'string' && message.refusal !== ''
  const details = { ...detailsOf(body, requests), ...(finishReason !== undefined && { finishReason }) }
  const finish =
    refusal || finishReason === 'content_filter' ? 'refused' : finishReason === 'length' ? 'cut' : 'complete'
  return { text: contentOf(message.content), finish, details }
}

/** A string, or parts with texts. */
function contentOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : ''
  return content.map(part => (typeof part?.text === 'string' ? part.text : '')).join('')
}

function readVectors(body: Json, count: number): number[][] {
  const rows = Array.isArray(body.data) ? body.data : []
  const vectors = new Array<number[] | undefined>(count)
  rows.forEach((row, position) => {
    const { index = position, embedding } = objectOf(row) ?? {}
    if (typeof index === 'number' && index < count && isVector(embedding)) vectors[index] = embedding
  })
  if (vectors.includes(undefined)) {
    throw new ProviderFault('answer', `The answer has ${rows.length} usable vectors for ${count} texts`)
  }
  return vectors as number[][]
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every(Number.isFinite)
}

function detailsOf(body: Json, requests: number): AnswerDetails {
  const usage = objectOf(body.usage)
  const cached = objectOf(usage?.prompt_tokens_details)?.cached_tokens
  const reasoning = objectOf(usage?.completion_tokens_details)?.reasoning_tokens
  return {
    requests,
    ...(typeof body.id === 'string' && { id: body.id }),
    ...(typeof body.model === 'string' && { model: body.model }),
    ...(typeof usage?.prompt_tokens === 'number' && { inputTokens: usage.prompt_tokens }),
    ...(typeof usage?.completion_tokens === 'number' && { outputTokens: usage.completion_tokens }),
    ...(typeof cached === 'number' && { cachedTokens: cached }),
    ...(typeof reasoning === 'number' && { reasoningTokens: reasoning }),
  }
}

function objectOf(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null ? (value as Json) : undefined
}
