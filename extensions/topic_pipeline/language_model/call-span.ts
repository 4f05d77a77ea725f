import { type Attributes, type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import { parentOf, type Recorders } from '#core/component'
import type { Task } from './language-model.ts'
import { type AnswerDetails, type ChatAnswer, type ChatCall, type Provider, ProviderFault } from './provider.ts'
import type { languageModelInstruments } from './telemetry.ts'

/** One call as telemetry names it. */
export interface CallFacts {
  readonly operation: 'chat' | 'embeddings'
  readonly provider: Provider
  readonly model: string
  readonly task: Task
  readonly traceparent: string | undefined
}

/**
 * The span and the duration of one call to a language model, repetitions included.
 * Source: open-telemetry/semantic-conventions-genai, gen-ai-spans.md
 */
export class CallSpan {
  readonly #span: Span
  readonly #recorders: Recorders<typeof languageModelInstruments>
  readonly #labels: Readonly<Record<string, string>>
  readonly #started: number
  readonly #monotonic: () => number

  constructor(
    facts: CallFacts,
    tracer: Tracer,
    recorders: Recorders<typeof languageModelInstruments>,
    monotonic: () => number,
  ) {
    const { operation, provider, model, task } = facts
    this.#recorders = recorders
    this.#monotonic = monotonic
    this.#started = monotonic()
    this.#labels = {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': provider.name,
      'gen_ai.request.model': model,
    }
    const attributes: Attributes = { ...this.#labels, 'topics.task_type': task }
    if (provider.server !== undefined) {
      attributes['server.address'] = provider.server.address
      attributes['server.port'] = provider.server.port
    }
    const options = { kind: SpanKind.CLIENT, attributes }
    this.#span = tracer.startSpan(`${operation} ${model}`, options, parentOf(facts.traceparent))
  }

  /** What is asked. `content`: prompts too, which hold unpublished writing. */
  chat(call: ChatCall, content: boolean): void {
    this.#set({
      'gen_ai.request.max_tokens': call.maxTokens,
      'gen_ai.request.temperature': call.temperature,
      'gen_ai.output.type': call.schema === undefined ? 'text' : 'json',
    })
    if (!content) return
    const messages = call.turns.map(turn => ({ role: turn.role, parts: [{ type: 'text', content: turn.text }] }))
    this.#set({
      'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: call.system }]),
      'gen_ai.input.messages': JSON.stringify(messages),
    })
  }

  /** What came. */
  answered(answer: Pick<ChatAnswer, 'text'>): void {
    const message = { role: 'assistant', parts: [{ type: 'text', content: answer.text }] }
    this.#set({ 'gen_ai.output.messages': JSON.stringify([message]) })
  }

  /** What it used and cost. */
  details(details: AnswerDetails, cost: number | null): void {
    this.#set({
      'gen_ai.response.id': details.id,
      'gen_ai.response.model': details.model,
      'gen_ai.response.finish_reasons': details.finishReason === undefined ? undefined : [details.finishReason],
      'gen_ai.usage.input_tokens': details.inputTokens,
      'gen_ai.usage.output_tokens': details.outputTokens,
      'gen_ai.usage.cache_read.input_tokens': details.cachedTokens,
      'gen_ai.usage.reasoning.output_tokens': details.reasoningTokens,
      'http.request.resend_count': (details.requests ?? 1) > 1 ? details.requests! - 1 : undefined,
      'topics.llm.cost.usd': cost ?? undefined,
    })
    this.#tokens('input', details.inputTokens)
    this.#tokens('output', details.outputTokens)
  }

  get labels(): Readonly<Record<string, string>> {
    return this.#labels
  }

  end(error?: unknown): void {
    const seconds = (this.#monotonic() - this.#started) / 1000
    if (error === undefined) {
      this.#recorders.duration.record(seconds, this.#labels)
    } else {
      const type = typeOf(error)
      this.#recorders.duration.record(seconds, { ...this.#labels, 'error.type': type })
      this.#span.setAttribute('error.type', type)
      this.#span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : type })
    }
    this.#span.end()
  }

  #tokens(type: 'input' | 'output', tokens: number | undefined): void {
    if (tokens !== undefined) this.#recorders.tokens.record(tokens, { ...this.#labels, 'gen_ai.token.type': type })
  }

  #set(attributes: Readonly<Record<string, string | number | string[] | undefined>>): void {
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== undefined) this.#span.setAttribute(name, value)
    }
  }
}

function typeOf(error: unknown): string {
  if (error instanceof ProviderFault) return String(error.type)
  return error instanceof Error ? error.name : '_OTHER'
}
