/** Counts what has begun and not ended, and tells when nothing is left. */
export class InFlight {
  #count = 0
  #waiting: (() => void)[] = []

  begin(): void {
    this.#count++
  }

  end(): void {
    if (--this.#count > 0) return
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }

  /** Resolves once nothing is under way. */
  none(): Promise<void> {
    if (this.#count === 0) return Promise.resolve()
    return new Promise(resolve => this.#waiting.push(resolve))
  }
}
