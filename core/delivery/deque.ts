/** A first-in, first-out list over a ring that grows by doubling. */
export class Deque<T> {
  #ring: (T | undefined)[] = new Array(16)
  #head = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  push(item: T): void {
    if (this.#length === this.#ring.length) this.#grow()
    this.#ring[(this.#head + this.#length) & (this.#ring.length - 1)] = item
    this.#length++
  }

  peek(): T | undefined {
    return this.#ring[this.#head]
  }

  shift(): T | undefined {
    if (this.#length === 0) return undefined
    const item = this.#ring[this.#head]
    this.#ring[this.#head] = undefined
    this.#head = (this.#head + 1) & (this.#ring.length - 1)
    this.#length--
    return item
  }

  /** From first to last. */
  *[Symbol.iterator](): IterableIterator<T> {
    for (let i = 0; i < this.#length; i++) yield this.#ring[(this.#head + i) & (this.#ring.length - 1)]!
  }

  #grow(): void {
    const grown: (T | undefined)[] = new Array(this.#ring.length * 2)
    for (let i = 0; i < this.#length; i++) grown[i] = this.#ring[(this.#head + i) & (this.#ring.length - 1)]
    this.#ring = grown
    this.#head = 0
  }
}
