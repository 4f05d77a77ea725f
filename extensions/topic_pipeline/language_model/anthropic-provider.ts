import type { ProviderConfig } from './config.ts'
import { type JsonAnswer, JsonApi, type JsonApiDeps } from './json-api.ts'
import type { Task } from './language-model.ts'
import { modelOf } from './models.ts'
import type { Patience } from './patience.ts'
import { type ChatAnswer, type ChatCall, type Provider, ProviderFault, type ServerAddress } from './provider.ts'

type Json = Record<string, unknown>

/** The Anthropic API. JSON of a schema is asked for as the input of a tool that the model must use. It has no embeddings. */
export class AnthropicProvider implements Provider {
  readonly name: string
  readonly local = false
  readonly formats = ['schema', 'text'] as const
  readonly #models: ProviderConfig['models']
  readonly #api: JsonApi
  readonly #extra: Json

  constructor(config: ProviderConfig, maxRetries: number, deps: JsonApiDeps) {
    this.name = config.name || 'anthropic'
    this.#models = config.models
    this.#extra = config.extra_body
    const headers = {
      'anthropic-version': '2023-06-01',
      ...(config.api_key && { 'x-api-key': config.api_key }),
      ...config.headers,
    }
    const baseUrl = config.base_url || 'https://api.anthropic.com/v1'
    const secrets = [config.api_key, ...Object.values(config.headers)]
    this.#api = new JsonApi({ baseUrl, headers, secrets, maxRetries }, deps)
  }

  get server(): ServerAddress {
    return this.#api.server
  }

  modelFor(task: Task): string | undefined {
    return task === 'EMBEDDING' ? undefined : modelOf(this.#models, task)
  }

  async chat(call: ChatCall, patience: Patience): Promise<ChatAnswer> {
    return readMessage(await this.#api.post('/messages', { ...messageBody(call), ...this.#extra }, patience))
  }
}

function messageBody(call: ChatCall): Json {
  const forced = call.format === 'schema' ? call.schema : undefined
  return {
    model: call.model,
    system: call.system,
    messages: call.turns.map(turn => ({ role: turn.role, content: turn.text })),
    max_tokens: call.maxTokens,
    // The API's scale ends at 1.
    temperature: call.temperature === undefined ? undefined : Math.min(1, call.temperature),
    ...(forced !== undefined && {
      tools: [{ name: forced.name, description: 'Takes the answer.', input_schema: forced.schema }],
      tool_choice: { type: 'tool', name: forced.name },
    }),
  }
}

function readMessage({ body, requests }: JsonAnswer): ChatAnswer {
  if (!Array.isArray(body.content)) throw new ProviderFault('answer', 'The answer has no content')
  const blocks = body.content as Json[]
  const tool = blocks.find(block => block?.type === 'tool_use')
  const text = blocks.map(block => (typeof block?.text === 'string' ? block.text : '')).join('')
  const stop = typeof body.stop_reason === 'string' ? body.stop_reason : undefined
  const usage = (body.usage ?? {}) as Json
  const cached = tokens(usage.cache_read_input_tokens) ?? 0
  const input = tokens(usage.input_tokens)
  const output = tokens(usage.output_tokens)
  return {
    text: tool === undefined ? text : JSON.stringify(tool.input ?? null),
    finish: stop === 'max_tokens' ? 'cut' : stop === 'refusal' ? 'refused' : 'complete',
    details: {
      requests,
      ...(typeof body.id === 'string' && { id: body.id }),
      ...(typeof body.model === 'string' && { model: body.model }),
      ...(stop !== undefined && { finishReason: stop }),
      // Tokens read from or written to the provider's cache are counted apart there.
      ...(input !== undefined && { inputTokens: input + cached + (tokens(usage.cache_creation_input_tokens) ?? 0) }),
      ...(output !== undefined && { outputTokens: output }),
      ...(cached > 0 && { cachedTokens: cached }),
    },
  }
}

function tokens(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
