import type { Clock } from '#core/component'

/** How long a call may still take, over all its requests. */
export class Patience {
  readonly signal: AbortSignal
  /** Longest wait for one request, in milliseconds. */
  readonly #timeout: number
  readonly #end: number
  readonly #clock: Clock

  /** @param deadline milliseconds from now */
  constructor(clock: Clock, signal: AbortSignal, timeout: number, deadline: number) {
    this.signal = signal
    this.#timeout = timeout
    this.#clock = clock
    this.#end = clock.monotonic() + deadline
  }

  /** Milliseconds that are left altogether, at least 0. */
  get left(): number {
    return Math.max(0, this.#end - this.#clock.monotonic())
  }

  /** Milliseconds that the next request may take. */
  get request(): number {
    return Math.min(this.#timeout, this.left)
  }

  /** Waits, unless that would take longer than is left: then it is `false` at once. */
  async wait(milliseconds: number): Promise<boolean> {
    if (milliseconds >= this.left) return false
    await this.#clock.sleep(milliseconds, this.signal)
    return true
  }
}
