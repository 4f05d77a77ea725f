import type { Tracer } from '@opentelemetry/api'
import type { Clock, Logger, Recorders } from '#core/component'
import type { TokenUsage } from '../model/writing.ts'
import type { UsageTable } from '../store/store.ts'
import { CallSpan } from './call-span.ts'
import { type Costs, estimatedTokens } from './costs.ts'
import { type CallOptions, ModelError, type Task } from './language-model.ts'
import type { Patience } from './patience.ts'
import type { AnswerDetails, ChatAnswer, ChatCall, EmbedAnswer, EmbedCall, Provider } from './provider.ts'
import type { Semaphore } from './semaphore.ts'
import type { languageModelInstruments } from './telemetry.ts'

export interface MeteredDeps {
  readonly costs: Costs
  readonly usage: UsageTable
  readonly tracer: Tracer
  readonly recorders: Recorders<typeof languageModelInstruments>
  readonly clock: Clock
  readonly logger: Logger
  readonly semaphore: Semaphore
  readonly captureContent: boolean
}

/** Who pays, and for what. */
export interface Purpose extends Pick<CallOptions, 'topicId' | 'traceparent'> {
  readonly task: Task
}

/** What calls came to so far. */
export interface Tally {
  usage: TokenUsage | null
  cost: number | null
}

/** Makes calls within the budget, and keeps account of each: a span, metrics, a record of tokens and cost. */
export class Metered {
  readonly #deps: MeteredDeps

  constructor(deps: MeteredDeps) {
    this.#deps = deps
  }

  /**
   * @throws {ModelError} `budget`
   * @throws {ProviderFault}
   */
  async chat(
    provider: Provider,
    call: ChatCall,
    purpose: Purpose,
    patience: Patience,
    tally: Tally,
  ): Promise<ChatAnswer> {
    const texts = [call.system, ...call.turns.map(turn => turn.text)]
    const expected = { inputTokens: estimatedTokens(...texts), outputTokens: call.maxTokens }
    return this.#account(provider, call.model, purpose, patience, expected, tally, async span => {
      span.chat(call, this.#deps.captureContent)
      const answer = await provider.chat(call, patience)
      if (this.#deps.captureContent) span.answered(answer)
      return { answer, guess: { ...expected, outputTokens: estimatedTokens(answer.text) } }
    })
  }

  /** @throws as {@link Metered.chat} does */
  async embed(
    provider: Provider,
    call: EmbedCall,
    purpose: Purpose,
    patience: Patience,
    tally: Tally,
  ): Promise<EmbedAnswer> {
    const expected = { inputTokens: estimatedTokens(...call.texts), outputTokens: 0 }
    return this.#account(provider, call.model, purpose, patience, expected, tally, async () => ({
      answer: await provider.embed!(call, patience),
      guess: expected,
    }))
  }

  async #account<A extends { readonly details: AnswerDetails }>(
    provider: Provider,
    model: string,
    purpose: Purpose,
    patience: Patience,
    expected: Tokens,
    tally: Tally,
    ask: (span: CallSpan) => Promise<{ readonly answer: A; readonly guess: Tokens }>,
  ): Promise<A> {
    if (provider.local) return (await this.#traced(provider, model, purpose, ask, tally)).answer
    const { costs, semaphore } = this.#deps
    return semaphore.run(patience.signal, async () => {
      const release = await costs.reserve(model, expected)
      if (typeof release === 'string') {
        this.#deps.recorders.refused.add(1, { 'topics.task_type': purpose.task, reason: 'budget' })
        throw new ModelError('budget', release, costs.untilTomorrow)
      }
      try {
        return (await this.#traced(provider, model, purpose, ask, tally)).answer
      } finally {
        release()
      }
    })
  }

  async #traced<A extends { readonly details: AnswerDetails }>(
    provider: Provider,
    model: string,
    purpose: Purpose,
    ask: (span: CallSpan) => Promise<{ readonly answer: A; readonly guess: Tokens }>,
    tally: Tally,
  ): Promise<{ readonly answer: A }> {
    const { tracer, recorders, clock } = this.#deps
    const operation = purpose.task === 'EMBEDDING' ? 'embeddings' : 'chat'
    const facts = { operation, provider, model, task: purpose.task, traceparent: purpose.traceparent } as const
    const span = new CallSpan(facts, tracer, recorders, () => clock.monotonic())
    try {
      const { answer, guess } = await ask(span)
      const usage = provider.local ? null : usageOf(answer.details, guess)
      const cost = usage === null ? 0 : this.#deps.costs.of(model, usage)
      span.details(answer.details, cost)
      if (usage !== null) await this.#enter(provider, model, purpose, usage, cost, span)
      add(tally, usage, cost)
      span.end()
      return { answer }
    } catch (error) {
      span.end(error)
      throw error
    }
  }

  /** An answer that was paid for is not lost because its cost could not be written down. */
  async #enter(
    provider: Provider,
    model: string,
    purpose: Purpose,
    usage: TokenUsage,
    cost: number | null,
    span: CallSpan,
  ): Promise<void> {
    const { clock, logger, recorders } = this.#deps
    if (cost !== null && cost > 0) recorders.cost.add(cost, { ...span.labels, 'topics.task_type': purpose.task })
    const { inputTokens, outputTokens } = usage
    const { task, topicId } = purpose
    try {
      await this.#deps.usage.add({
        ...{ task, provider: provider.name, model, inputTokens, outputTokens, cost, at: clock.now() },
        ...(topicId !== undefined && { topicId }),
      })
    } catch (error) {
      logger.error('The cost of a call to a language model could not be kept', { model, cost, error })
    }
  }
}

type Tokens = Pick<TokenUsage, 'inputTokens' | 'outputTokens'>

function usageOf(details: AnswerDetails, guess: Tokens): TokenUsage {
  const { inputTokens, outputTokens } = details
  if (inputTokens === undefined) return { ...guess, estimated: true }
  return { inputTokens, outputTokens: outputTokens ?? 0, estimated: false }
}

function add(tally: Tally, usage: TokenUsage | null, cost: number | null): void {
  tally.cost = cost === null || tally.cost === null ? null : tally.cost + cost
  if (usage === null) return
  const so = tally.usage
  tally.usage = {
    inputTokens: (so?.inputTokens ?? 0) + usage.inputTokens,
    outputTokens: (so?.outputTokens ?? 0) + usage.outputTokens,
    estimated: usage.estimated || so?.estimated === true,
  }
}
