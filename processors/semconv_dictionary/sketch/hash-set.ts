/** A set of 64-bit hashes, each given as two 32-bit halves. Open addressing in one array; it only grows. */
export class HashSet {
  #slots = new Int32Array(8)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Tells whether the hash is new. */
  add(high: number, low: number): boolean {
    // Two zeros mark a free slot.
    const lower = (high | low) === 0 ? 1 : low | 0
    const upper = high | 0
    if (!this.#insert(upper, lower)) return false
    this.#size++
    if (this.#size * 8 > this.#slots.length * 3) this.#grow()
    return true
  }

  /** Calls `visit` with each hash, in no particular order. */
  each(visit: (high: number, low: number) => void): void {
    const slots = this.#slots
    for (let at = 0; at < slots.length; at += 2) {
      if (slots[at] !== 0 || slots[at + 1] !== 0) visit(slots[at]!, slots[at + 1]!)
    }
  }

  #insert(high: number, low: number): boolean {
    const slots = this.#slots
    const mask = slots.length / 2 - 1
    for (let slot = (high ^ low) & mask; ; slot = (slot + 1) & mask) {
      const there = slots[slot * 2]!
      const thereLow = slots[slot * 2 + 1]!
      if (there === high && thereLow === low) return false
      if (there === 0 && thereLow === 0) {
        slots[slot * 2] = high
        slots[slot * 2 + 1] = low
        return true
      }
    }
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Int32Array(old.length * 2)
    for (let at = 0; at < old.length; at += 2) {
      if (old[at] !== 0 || old[at + 1] !== 0) this.#insert(old[at]!, old[at + 1]!)
    }
  }
}
