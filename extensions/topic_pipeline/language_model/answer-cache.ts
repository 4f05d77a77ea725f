import { createHash } from 'node:crypto'
import type { Clock } from '#core/component'
import type { MemoryTable } from '../store/store.ts'
import type { Answered } from './dialogue.ts'
import type { CompletionRequest } from './language-model.ts'

const SECTION = 'language_model.answers'
/** Answers kept between two clearances. */
const CLEAR_EVERY = 500

/** Answers that were paid for, by everything that they depend on: model, prompts, schema and settings. */
export class AnswerCache {
  readonly #table: MemoryTable
  readonly #clock: Clock
  /** Milliseconds. 0: nothing is kept. */
  readonly #ttl: number
  #sinceCleared = CLEAR_EVERY

  constructor(table: MemoryTable, clock: Clock, ttl: number) {
    this.#table = table
    this.#clock = clock
    this.#ttl = ttl
  }

  /** `undefined` when such a request is not kept: drafts are meant to differ. */
  keyOf(provider: string, model: string, request: CompletionRequest): string | undefined {
    if (this.#ttl === 0 || request.task === 'GENERATION') return undefined
    const { system, prompt, schema, maxTokens, temperature } = request
    const all = JSON.stringify([1, provider, model, system, prompt, schema?.schema, maxTokens, temperature])
    return createHash('sha256').update(all).digest('hex')
  }

  async get(key: string): Promise<Answered | undefined> {
    const kept = (await this.#table.get(SECTION, key)) as
      | { text: string; json?: unknown; at: number }
      | undefined
      | null
    if (kept === undefined || kept === null || kept.at + this.#ttl < this.#clock.now()) return undefined
    return 'json' in kept ? { text: kept.text, json: kept.json } : { text: kept.text }
  }

  async set(key: string, answer: Answered): Promise<void> {
    const now = this.#clock.now()
    await this.#table.set(SECTION, key, { ...answer, at: now }, now)
    if (++this.#sinceCleared < CLEAR_EVERY) return
    this.#sinceCleared = 0
    await this.#table.prune(SECTION, now - this.#ttl)
  }
}
