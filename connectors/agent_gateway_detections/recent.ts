/** Ids seen within a time, at most so many: the oldest go first. */
export class Recent {
  readonly #window: number
  readonly #most: number
  readonly #seen = new Map<string, number>()

  /** @param window milliseconds */
  constructor(window: number, most: number) {
    this.#window = window
    this.#most = most
  }

  get size(): number {
    return this.#seen.size
  }

  /** @param now milliseconds of a monotonic clock */
  has(id: string, now: number): boolean {
    const at = this.#seen.get(id)
    return at !== undefined && now - at <= this.#window
  }

  add(id: string, now: number): void {
    this.#seen.delete(id)
    this.#seen.set(id, now)
    for (const [oldest, at] of this.#seen) {
      if (this.#seen.size <= this.#most && now - at <= this.#window) break
      this.#seen.delete(oldest)
    }
  }
}
