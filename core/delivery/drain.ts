import type { Clock } from '#core/component'

/**
 * The end of a delivery: runs, then drains until a deadline, then is over. Waits between attempts are cut short when
 * draining begins; attempts under way are aborted when it is over.
 */
export class Drain {
  readonly #clock: Clock
  readonly #ended = new AbortController()
  #deadline: number | undefined
  #over = false
  readonly #onBegin = new Set<() => void>()
  readonly #onOver = new Set<() => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Monotonic milliseconds; `undefined` until draining begins. */
  get deadline(): number | undefined {
    return this.#deadline
  }

  get over(): boolean {
    return this.#over
  }

  /**
   * Begins to drain, for at most `ms` milliseconds. A second call changes nothing. Keeps the process alive until then:
   * what is left to do may be nothing but waiting for the next attempt.
   */
  begin(ms: number): void {
    if (this.#deadline !== undefined) return
    this.#deadline = this.#clock.monotonic() + ms
    if (ms <= 0) this.#expire()
    else void this.#clock.sleep(ms, this.#ended.signal).then(() => this.#expire(), ignore)
    call(this.#onBegin)
  }

  /** Everything has been settled before the deadline: nothing needs to be aborted any more. */
  end(): void {
    this.#over = true
    this.#ended.abort()
  }

  /** Calls `run` once when draining begins. Returns how to take that back. */
  onBegin(run: () => void): () => void {
    return add(this.#onBegin, run)
  }

  /** Calls `run` once when the deadline has passed. Returns how to take that back. */
  onOver(run: () => void): () => void {
    return add(this.#onOver, run)
  }

  #expire(): void {
    this.#over = true
    call(this.#onOver)
  }
}

function ignore(): void {}

function add(to: Set<() => void>, run: () => void): () => void {
  to.add(run)
  return () => to.delete(run)
}

function call(all: Set<() => void>): void {
  const runs = [...all]
  all.clear()
  for (const run of runs) run()
}
