import type { Clock } from '#core/component'

/** How many equal lines are printed: the first `initial` in each `tick`, then every `thereafter`-th. */
export interface SamplingConfig {
  /** Milliseconds. */
  readonly tick: number
  readonly initial: number
  readonly thereafter: number
}

/** More distinct messages than this in one window means that the messages themselves vary: the table starts anew. */
const MAX_MESSAGES = 4096

/** Decides which of many equal log lines are printed. Lines are equal when level and message are. */
export class LogSampler {
  readonly #config: SamplingConfig
  readonly #clock: Clock
  readonly #counts = new Map<string, { until: number; seen: number }>()

  constructor(config: SamplingConfig, clock: Clock) {
    this.#config = config
    this.#clock = clock
  }

  admits(level: string, message: string): boolean {
    const { tick, initial, thereafter } = this.#config
    const now = this.#clock.monotonic()
    const key = `${level}\n${message}`
    let count = this.#counts.get(key)
    if (count === undefined || now >= count.until) {
      if (this.#counts.size >= MAX_MESSAGES) this.#counts.clear()
      count = { until: now + tick, seen: 0 }
      this.#counts.set(key, count)
    }
    count.seen++
    if (count.seen <= initial) return true
    return thereafter > 0 && (count.seen - initial) % thereafter === 0
  }
}
