import type { Recorders } from '#core/component'
import { AnswerCache } from './answer-cache.ts'
import type { LanguageModelConfig } from './config.ts'
import { Costs } from './costs.ts'
import { Dialogue } from './dialogue.ts'
import { embeddingSpace, spaceVector } from './embedding-space.ts'
import {
  type CallOptions,
  type Completion,
  type CompletionRequest,
  type EmbeddingSpace,
  ModelError,
  type Task,
} from './language-model.ts'
import type { ClosableLanguageModel, LanguageModelDeps } from './language-model-deps.ts'
import { Metered, type Tally } from './metered.ts'
import { Patience } from './patience.ts'
import { type Provider, ProviderFault } from './provider.ts'
import { createProviders, type Providers } from './providers.ts'
import { Semaphore } from './semaphore.ts'
import { languageModelInstruments } from './telemetry.ts'

/** Language models by task: who is asked, in which order, for how long and for how much. */
export class ModelAccess implements ClosableLanguageModel {
  readonly kind: 'model' | 'local' | 'none'
  readonly embedding: EmbeddingSpace | undefined
  readonly #config: LanguageModelConfig
  readonly #deps: LanguageModelDeps
  readonly #providers: Providers
  readonly #costs: Costs
  readonly #metered: Metered
  readonly #dialogue = new Dialogue()
  readonly #cache: AnswerCache
  readonly #recorders: Recorders<typeof languageModelInstruments>
  readonly #closing = new AbortController()
  readonly #underWay = new Set<Promise<unknown>>()

  constructor(config: LanguageModelConfig, deps: LanguageModelDeps) {
    this.#config = config
    this.#deps = deps
    this.#recorders = deps.meter.bind(languageModelInstruments)
    this.#providers = createProviders(config, deps, this.#recorders.retries)
    this.kind = config.primary.type === 'local' ? 'local' : this.#providers.chat.length === 0 ? 'none' : 'model'
    this.embedding = embeddingSpace(config, this.#providers.embedding)
    this.#costs = new Costs(config, deps.usage, deps.clock)
    this.#cache = new AnswerCache(deps.cache, deps.clock, config.cache_ttl)
    const { usage, tracer, clock, logger } = deps
    this.#metered = new Metered({
      ...{ usage, tracer, clock, logger, costs: this.#costs, recorders: this.#recorders },
      semaphore: new Semaphore(config.max_concurrent),
      captureContent: config.capture_content,
    })
  }

  async available(task: Task): Promise<boolean> {
    return (await this.unavailable(task)) === undefined
  }

  async unavailable(task: Task): Promise<string | undefined> {
    const takers = this.#takers(task)
    if (takers.length === 0) return unconfigured(task)
    return takers.some(({ local }) => local) ? undefined : this.#costs.exceeded()
  }

  complete(request: CompletionRequest): Promise<Completion> {
    return this.#tracked(request, patience => this.#complete(request, patience))
  }

  embed(texts: readonly string[], options: CallOptions = {}): Promise<readonly Float32Array[]> {
    return this.#tracked(options, patience => this.#embed(texts, options, patience))
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('The language model is closed'))
    await Promise.allSettled(this.#underWay)
  }

  #takers(task: Task): readonly Provider[] {
    if (task !== 'EMBEDDING') return this.#providers.chat.filter(provider => provider.modelFor(task) !== undefined)
    return this.#providers.embedding === undefined ? [] : [this.#providers.embedding]
  }

  async #tracked<T>(options: CallOptions, work: (patience: Patience) => Promise<T>): Promise<T> {
    const signals = [this.#closing.signal, ...(options.signal === undefined ? [] : [options.signal])]
    const { timeout, deadline } = this.#config
    const call = work(new Patience(this.#deps.clock, AbortSignal.any(signals), timeout, deadline))
    this.#underWay.add(call)
    try {
      return await call
    } finally {
      this.#underWay.delete(call)
    }
  }

  async #complete(request: CompletionRequest, patience: Patience): Promise<Completion> {
    patience.signal.throwIfAborted()
    const takers = this.#takers(request.task)
    if (takers.length === 0) throw this.#unconfigured(request.task)
    const failures: ModelError[] = []
    for (const provider of takers) {
      try {
        return await this.#ask(provider, request, patience)
      } catch (error) {
        patience.signal.throwIfAborted()
        failures.push(modelError(error))
        if (failures.length < takers.length) {
          this.#deps.logger.warn('A language model did not answer, another one is asked', {
            provider: provider.name,
            task: request.task,
            error: failures.at(-1)!.message,
          })
        }
      }
    }
    throw worst(failures)
  }

  async #ask(provider: Provider, request: CompletionRequest, patience: Patience): Promise<Completion> {
    const model = provider.modelFor(request.task)!
    const { name } = provider
    const key = provider.local ? undefined : this.#cache.keyOf(name, model, request)
    const kept = key === undefined ? undefined : await this.#cache.get(key)
    if (kept !== undefined) {
      this.#recorders.cached.add(1, { 'topics.task_type': request.task })
      return { ...kept, provider: name, model, usage: null, cost: 0 }
    }
    const tally: Tally = { usage: null, cost: 0 }
    const answered = await this.#dialogue.complete(provider, model, request, call =>
      this.#metered.chat(provider, call, request, patience, tally),
    )
    if (key !== undefined) await this.#cache.set(key, answered)
    return { ...answered, provider: name, model, ...tally }
  }

  async #embed(texts: readonly string[], options: CallOptions, patience: Patience): Promise<readonly Float32Array[]> {
    patience.signal.throwIfAborted()
    const provider = this.#providers.embedding
    const model = provider?.modelFor('EMBEDDING')
    if (provider === undefined || model === undefined) throw this.#unconfigured('EMBEDDING')
    const { max_characters, batch_size, dimensions, request_dimensions } = this.#config.embedding
    const vectors: Float32Array[] = []
    try {
      for (let from = 0; from < texts.length; from += batch_size) {
        const batch = texts.slice(from, from + batch_size).map(text => beginning(text, max_characters))
        const call = { model, texts: batch, ...(request_dimensions && { dimensions }) }
        const purpose = { ...options, task: 'EMBEDDING' } as const
        const answer = await this.#metered.embed(provider, call, purpose, patience, { usage: null, cost: 0 })
        vectors.push(...answer.vectors.map(vector => spaceVector(vector, dimensions, model)))
      }
      return vectors
    } catch (error) {
      patience.signal.throwIfAborted()
      throw modelError(error)
    }
  }

  #unconfigured(task: Task): ModelError {
    this.#recorders.refused.add(1, { 'topics.task_type': task, reason: 'unconfigured' })
    return new ModelError('unconfigured', unconfigured(task))
  }
}

function unconfigured(task: Task): string {
  return `No language model is configured for ${task}: set language_model::primary`
}

/** Not between the halves of a surrogate pair; a text of blanks only is none that providers take. */
function beginning(text: string, characters: number): string {
  const cut = text.slice(0, characters).replace(/[\ud800-\udbff]$/, '')
  return cut.trim() === '' ? '-' : cut
}

function modelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error
  if (!(error instanceof ProviderFault)) throw error
  const reason = error.transient ? 'busy' : error.type === 'answer' ? 'invalid' : 'refused'
  return new ModelError(reason, error.message, error.retryAfter, { cause: error })
}

/** Asking again helps when one of those asked was only busy. */
function worst(failures: readonly ModelError[]): ModelError {
  const busy = failures.find(failure => failure.reason === 'busy')
  return busy ?? failures[0]!
}
