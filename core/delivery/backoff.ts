import type { RetryConfig } from './options.ts'

/** What decides the waits between attempts; the names and meanings of `retry_on_failure`. */
export type BackoffConfig = Pick<
  RetryConfig,
  'initial_interval' | 'randomization_factor' | 'multiplier' | 'max_interval'
>

/**
 * Waits that grow by `multiplier` up to `max_interval`, each drawn evenly from the interval plus or minus
 * `randomization_factor` of it.
 */
export class Backoff {
  readonly #config: BackoffConfig
  readonly #random: () => number
  #interval: number

  /** `random` gives numbers from 0 up to 1. */
  constructor(config: BackoffConfig, random: () => number = Math.random) {
    this.#config = config
    this.#random = random
    this.#interval = config.initial_interval
  }

  /** The next wait in milliseconds. */
  next(): number {
    const { multiplier, max_interval: max, randomization_factor: spread } = this.#config
    const interval = this.#interval
    this.#interval = Math.min(interval * multiplier, max)
    return interval * (1 - spread + 2 * spread * this.#random())
  }
}

/** The waits of a shutdown: short, because what is not sent before its deadline is lost. */
export const DRAIN_BACKOFF: BackoffConfig = {
  initial_interval: 100,
  randomization_factor: 0.5,
  multiplier: 2,
  max_interval: 1000,
}
