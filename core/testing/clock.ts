import { setImmediate } from 'node:timers/promises'
import type { Clock, Timer } from '#core/component'

interface Entry {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

/**
 * A clock that moves only when told to. Timers and sleeps run in the order in which they fall due, and what they set
 * off settles before the next one runs.
 */
export class FakeClock implements Clock {
  #entries: Entry[] = []
  #order = 0
  #elapsed = 0
  readonly #epoch: number

  /** Starts at `epoch`, in milliseconds since the Unix epoch. */
  constructor(epoch = Date.UTC(2026, 0, 1)) {
    this.#epoch = epoch
  }

  now(): number {
    return this.#epoch + this.#elapsed
  }

  monotonic(): number {
    return this.#elapsed
  }

  /** Timers and sleeps still waiting. */
  get pending(): number {
    return this.#entries.length
  }

  /** Milliseconds until the next timer, `undefined` when none waits. */
  get next(): number | undefined {
    return this.#entries.length === 0 ? undefined : this.#earliest().at - this.#elapsed
  }

  after(ms: number, run: () => void): Timer {
    const entry = { at: this.#elapsed + Math.max(0, ms), order: this.#order++, run }
    this.#entries.push(entry)
    return {
      cancel: () => {
        this.#entries = this.#entries.filter(other => other !== entry)
      },
    }
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const timer = this.after(ms, () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      })
      const abort = () => {
        timer.cancel()
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  /** Lets `ms` milliseconds pass: everything that falls due within them runs, also what is set meanwhile. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms
    await settle()
    while (this.#entries.length > 0) {
      const entry = this.#earliest()
      if (entry.at > end) break
      this.#entries = this.#entries.filter(other => other !== entry)
      this.#elapsed = Math.max(this.#elapsed, entry.at)
      entry.run()
      await settle()
    }
    this.#elapsed = end
    await settle()
  }

  #earliest(): Entry {
    return this.#entries.reduce((a, b) => (b.at < a.at || (b.at === a.at && b.order < a.order) ? b : a))
  }
}

/** Lets promises that can settle without the outer world settle. */
export async function settle(): Promise<void> {
  await setImmediate()
  await setImmediate()
}
