/** Lets a few in at a time, the others in the order in which they came. */
export class Semaphore {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(permits: number) {
    this.#free = permits
  }

  /** Runs `work` when its turn has come. Rejects with the signal's reason when that is aborted first. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(signal)
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
  }

  #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#free > 0) {
      this.#free--
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1)
        reject(signal.reason)
      }
      this.#waiting.push(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
}
