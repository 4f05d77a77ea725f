import type { Clock, Timer } from '#core/component'

/** Something that must not go on for ever. */
export interface Deadline {
  /** On the clock's monotonic scale. */
  readonly at: number
  expire(): void
}

/**
 * Deadlines looked through a few times a second, in place of a timer for each: most are met, so adding and removing is
 * what must be cheap. Expiry is late by at most {@link SWEEP} milliseconds.
 */
export class Deadlines {
  readonly #clock: Clock
  readonly #waiting = new Set<Deadline>()
  #timer: Timer | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Calls `expire` in `ms` milliseconds unless the returned deadline is deleted before. */
  after(ms: number, expire: () => void): Deadline {
    const deadline = { at: this.#clock.monotonic() + ms, expire }
    this.#waiting.add(deadline)
    this.#timer ??= this.#clock.after(SWEEP, this.#sweep)
    return deadline
  }

  delete(deadline: Deadline | undefined): void {
    if (deadline !== undefined) this.#waiting.delete(deadline)
  }

  /** Forgets all of them. */
  clear(): void {
    this.#waiting.clear()
    this.#timer?.cancel()
    this.#timer = undefined
  }

  readonly #sweep = () => {
    const now = this.#clock.monotonic()
    for (const deadline of this.#waiting) {
      if (deadline.at > now) continue
      this.#waiting.delete(deadline)
      deadline.expire()
    }
    this.#timer = this.#waiting.size === 0 ? undefined : this.#clock.after(SWEEP, this.#sweep)
  }
}

/** Milliseconds between two looks. */
export const SWEEP = 50
