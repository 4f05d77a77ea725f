import type { Clock } from '#core/component'
import type { TokenUsage } from '../model/writing.ts'
import type { UsageTable } from '../store/store.ts'
import type { LanguageModelConfig } from './config.ts'

const DAY = 24 * 60 * 60 * 1000

/** What tokens cost, and whether the day's budget still allows for more. */
export class Costs {
  readonly #prices: LanguageModelConfig['prices']
  readonly #budget: number
  readonly #usage: UsageTable
  readonly #clock: Clock
  /** US dollars that calls under way are expected to cost. */
  #reserved = 0

  constructor(config: LanguageModelConfig, usage: UsageTable, clock: Clock) {
    this.#prices = config.prices
    this.#budget = config.daily_budget
    this.#usage = usage
    this.#clock = clock
  }

  /** US dollars; `null` when the model has no price. */
  of(model: string, usage: Pick<TokenUsage, 'inputTokens' | 'outputTokens'>): number | null {
    const price = Object.hasOwn(this.#prices, model) ? this.#prices[model] : undefined
    if (price === undefined) return null
    return (usage.inputTokens * price.input + usage.outputTokens * price.output) / 1e6
  }

  /** Why nothing more may be spent today; `undefined` when something may. */
  exceeded(): Promise<string | undefined> {
    return this.#exceeded(this.#reserved)
  }

  /** Milliseconds until the budget starts anew. */
  get untilTomorrow(): number {
    return DAY - (this.#clock.now() % DAY)
  }

  /**
   * Sets aside what a call is expected to cost while it is under way, if the budget allows for it after those that came
   * before. Returns how to give it back, or why it does not.
   */
  async reserve(
    model: string,
    usage: Pick<TokenUsage, 'inputTokens' | 'outputTokens'>,
  ): Promise<(() => void) | string> {
    const expected = this.of(model, usage) ?? 0
    const before = this.#reserved
    this.#reserved += expected
    const release = () => {
      this.#reserved = Math.max(0, this.#reserved - expected)
    }
    try {
      const refusal = await this.#exceeded(before)
      if (refusal === undefined) return release
      release()
      return refusal
    } catch (error) {
      release()
      throw error
    }
  }

  async #exceeded(reserved: number): Promise<string | undefined> {
    if (this.#budget === 0) return undefined
    const now = this.#clock.now()
    const spent = await this.#usage.cost(now - (now % DAY))
    if (spent + reserved < this.#budget) return undefined
    return `The budget of ${this.#budget} USD a day is used up (${spent.toFixed(4)} USD spent, ${reserved.toFixed(4)} USD under way); it starts anew at 00:00 UTC`
  }
}

/** Tokens of a text whose provider counts none: four characters each. */
export function estimatedTokens(...texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / 4)
}
