/** A bounded first-in-first-out buffer in one array that is made once. */
export class RingBuffer<T> {
  readonly #slots: (T | undefined)[]
  #first = 0
  #size = 0

  constructor(capacity: number) {
    this.#slots = new Array<T | undefined>(capacity).fill(undefined)
  }

  get size(): number {
    return this.#size
  }

  get capacity(): number {
    return this.#slots.length
  }

  /** The item that waits longest. */
  get first(): T | undefined {
    return this.#slots[this.#first]
  }

  /** Takes an item in; false when it is full. */
  push(item: T): boolean {
    if (this.#size === this.#slots.length) return false
    this.#slots[(this.#first + this.#size++) % this.#slots.length] = item
    return true
  }

  /** Gives out the item that waits longest. */
  shift(): T | undefined {
    if (this.#size === 0) return undefined
    const item = this.#slots[this.#first]
    this.#slots[this.#first] = undefined
    this.#first = (this.#first + 1) % this.#slots.length
    this.#size--
    return item
  }
}
