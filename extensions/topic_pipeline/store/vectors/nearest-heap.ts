import type { Candidate } from './vector-index.ts'

/** The order of results: the most similar first, among equals the lowest `ref`. */
export function nearestFirst(a: Candidate, b: Candidate): number {
  return b.similarity - a.similarity || a.ref - b.ref
}

/** Keeps the `limit` nearest of all that are offered. */
export class Nearest {
  readonly #limit: number
  /** A binary heap, the farthest first. */
  readonly #heap: Candidate[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  offer(ref: number, similarity: number): void {
    const heap = this.#heap
    if (heap.length < this.#limit) {
      heap.push({ ref, similarity })
      this.#rise(heap.length - 1)
    } else if (similarity >= heap[0]!.similarity && nearestFirst({ ref, similarity }, heap[0]!) < 0) {
      heap[0] = { ref, similarity }
      this.#sink(0)
    }
  }

  take(): Candidate[] {
    return this.#heap.sort(nearestFirst)
  }

  #rise(at: number): void {
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#farther(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #sink(at: number): void {
    for (;;) {
      let farthest = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.#heap.length && this.#farther(child, farthest)) farthest = child
      }
      if (farthest === at) return
      this.#swap(at, farthest)
      at = farthest
    }
  }

  #farther(a: number, b: number): boolean {
    return nearestFirst(this.#heap[a]!, this.#heap[b]!) > 0
  }

  #swap(a: number, b: number): void {
    const held = this.#heap[a]!
    this.#heap[a] = this.#heap[b]!
    this.#heap[b] = held
  }
}
