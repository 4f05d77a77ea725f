import type { Node } from './node.ts'

/** What yields nodes one by one, `undefined` behind the last. */
export interface Nodes {
  next(): Node | undefined
}

/**
 * Nodes seen as `T`, as often as they are iterated. For what is not hot: records have iterators of their own, whose
 * views need not be allocated where the loop lets V8 see that they do not escape.
 */
export class Each<T> implements Iterable<T> {
  readonly #walk: () => Nodes
  readonly #view: (node: Node) => T

  constructor(walk: () => Nodes, view: (node: Node) => T) {
    this.#walk = walk
    this.#view = view
  }

  [Symbol.iterator](): IterableIterator<T> {
    return new EachIterator(this.#walk(), this.#view)
  }
}

/** The same, once. */
export class EachIterator<T> implements IterableIterator<T> {
  readonly #nodes: Nodes
  readonly #view: (node: Node) => T

  constructor(nodes: Nodes, view: (node: Node) => T) {
    this.#nodes = nodes
    this.#view = view
  }

  next(): IteratorResult<T, undefined> {
    const node = this.#nodes.next()
    return node === undefined ? { done: true, value: undefined } : { done: false, value: this.#view(node) }
  }

  [Symbol.iterator](): this {
    return this
  }
}
