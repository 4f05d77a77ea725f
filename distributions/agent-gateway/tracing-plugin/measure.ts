import type { Instruments, MetricName } from './instruments.ts'
import type { ModelCall, Request, ToolCall, Turn } from './request.ts'
import type { Attributes } from './span.ts'
import { promptTokens, type Usage } from './usage.ts'

/** Measures what became of requests, calls and turns, each once, when it is exported. */
export class Measure {
  readonly #instruments: Instruments
  readonly #prefix: string

  /** `prefix` begins the keys of attributes: `openclaw`. */
  constructor(instruments: Instruments, prefix: string) {
    this.#instruments = instruments
    this.#prefix = prefix
  }

  /** A message that arrived or was sent, or a session that was reset. */
  count(what: MetricName, by: number, channel: string | undefined): void {
    if (by > 0) this.#instruments.record(what, by, { [`${this.#prefix}.channel`]: channel ?? 'unknown' })
  }

  /** A tool call of `milliseconds`. */
  tool(tool: ToolCall, milliseconds: number): void {
    const attributes = { [`${this.#prefix}.tool.name`]: tool.name }
    this.#instruments.record('tool.calls', 1, attributes)
    if (tool.failed) this.#instruments.record('tool.errors', 1, attributes)
    this.#instruments.record('tool.duration', milliseconds, attributes)
  }

  /** A model call of `milliseconds`. */
  call(turn: Turn, call: ModelCall, milliseconds: number): void {
    const [provider, model] = [call.provider ?? turn.provider ?? 'unknown', call.model ?? turn.model ?? 'unknown']
    const attributes = { [`${this.#prefix}.provider`]: provider, [`${this.#prefix}.model`]: model }
    const common = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': provider, 'gen_ai.request.model': model }
    this.#instruments.record('llm.requests', 1, attributes)
    if (call.error !== undefined) this.#instruments.record('llm.errors', 1, attributes)
    this.#instruments.record('llm.duration', milliseconds, attributes)
    const failed = call.error === undefined ? common : { ...common, 'error.type': call.error }
    this.#instruments.record('gen_ai.client.operation.duration', milliseconds / 1000, failed)
    if (call.usage === undefined) return
    const { output } = call.usage
    const tokens = 'gen_ai.client.token.usage'
    this.#instruments.record(tokens, promptTokens(call.usage), { ...common, 'gen_ai.token.type': 'input' })
    this.#instruments.record(tokens, output, { ...common, 'gen_ai.token.type': 'output' })
  }

  /** A turn of `milliseconds`, with what it used in all. */
  turn(turn: Turn, usage: Usage | undefined, milliseconds: number): void {
    const key = (name: string) => `${this.#prefix}.${name}`
    const attributes: Attributes = {
      [key('channel')]: turn.request.channel ?? 'unknown',
      [key('agent')]: turn.agentId ?? 'unknown',
      [key('provider')]: turn.provider ?? 'unknown',
      [key('model')]: turn.model ?? 'unknown',
    }
    const outcome = { [key('outcome')]: turn.success === false ? 'error' : 'completed' }
    this.#instruments.record('agent.turn_duration', milliseconds, attributes)
    this.#instruments.record('run.duration_ms', turn.durationMs ?? milliseconds, { ...attributes, ...outcome })
    if (usage === undefined) return
    const { input, output, cacheRead, cacheWrite } = usage
    for (const [type, count] of Object.entries({ input, output, cache_read: cacheRead, cache_write: cacheWrite })) {
      if (count > 0) this.#instruments.record('tokens', count, { ...attributes, [key('token')]: type })
    }
    this.#instruments.record('llm.tokens.prompt', promptTokens(usage), attributes)
    this.#instruments.record('llm.tokens.completion', output, attributes)
    this.#instruments.record('llm.tokens.total', promptTokens(usage) + output, attributes)
    if (usage.cost === undefined) return
    this.#instruments.record('cost.usd', usage.cost, attributes)
    this.#instruments.record('llm.cost.usd', usage.cost, attributes)
  }

  /** A request as it is exported: replies that left since. */
  request(request: Request): void {
    this.count('messages.sent', Math.max(request.sending, request.sent), request.channel)
    request.sending = 0
    request.sent = 0
  }
}

/** What a turn used: as the gateway adds it up where it does, else the calls together. */
export function totalOf(turn: Turn): Usage | undefined {
  const summed = turn.usage ?? turn.spent
  if (summed === undefined) return turn.cost === undefined ? undefined : { ...NOTHING, cost: turn.cost }
  return { ...summed, cost: turn.cost ?? summed.cost ?? turn.spent?.cost }
}

const NOTHING: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: undefined }
