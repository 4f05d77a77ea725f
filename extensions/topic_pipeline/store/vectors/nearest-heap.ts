import type { Candidate } from './vector-index.ts'

/** Keeps the `limit` most similar of all that are offered. */
export class Nearest {
  readonly #limit: number
  /** A binary heap, the least similar first. */
  readonly #heap: Candidate[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  offer(ref: number, similarity: number): void {
    const heap = this.#heap
    if (heap.length < this.#limit) {
      heap.push({ ref, similarity })
      this.#rise(heap.length - 1)
    } else if (similarity > heap[0]!.similarity) {
      heap[0] = { ref, similarity }
      this.#sink(0)
    }
  }

  /** Most similar first. */
  take(): Candidate[] {
    return this.#heap.sort((a, b) => b.similarity - a.similarity || a.ref - b.ref)
  }

  #rise(at: number): void {
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#heap[parent]!.similarity <= this.#heap[at]!.similarity) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #sink(at: number): void {
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      let least = at
      if (left < this.#heap.length && this.#heap[left]!.similarity < this.#heap[least]!.similarity) least = left
      if (right < this.#heap.length && this.#heap[right]!.similarity < this.#heap[least]!.similarity) least = right
      if (least === at) return
      this.#swap(at, least)
      at = least
    }
  }

  #swap(a: number, b: number): void {
    const held = this.#heap[a]!
    this.#heap[a] = this.#heap[b]!
    this.#heap[b] = held
  }
}
