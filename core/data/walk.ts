import type { ChunkDraft } from './chunk-draft.ts'
import { ASIDE, RANK } from './levels.ts'
import { type Branch, branchOf, isDropped, type Node, nextChild } from './node.ts'

/** The chunks of a payload, opened one by one as a walk comes to them. */
export interface Chunks {
  /** `undefined` behind the last. */
  open(index: number): ChunkDraft | undefined
}

/**
 * Walks through the messages of one rank, in order, leaving out what has been dropped: those below one node, or those of
 * all chunks. Edits and drops on the way are legal; a later walk shows them.
 */
export class Walk {
  readonly #rank: number
  readonly #chunks: Chunks | null
  #chunk = 0
  /** The node whose children are being visited, the next of them, and the same for the nodes around it. */
  #node: Node | null
  #branch: Branch | null
  #index = 0
  readonly #indexes: number[] = []

  constructor(rank: number, top: Node | null, chunks: Chunks | null) {
    this.#rank = rank
    this.#chunks = chunks
    this.#node = top
    this.#branch = top === null ? null : branchOf(top)
  }

  next(): Node | undefined {
    for (;;) {
      const branch = this.#branch
      if (branch !== null) {
        const index = this.#index
        const children = branch.children
        const child = index < children.length ? children[index] : nextChild(this.#node!, branch)
        if (child !== undefined) {
          this.#index = index + 1
          if (child.rows !== null && isDropped(child)) continue
          const rank = RANK[child.level]!
          if (rank === this.#rank) return child
          if (rank !== ASIDE) this.#enter(child)
          continue
        }
      }
      if (!this.#leave()) return undefined
    }
  }

  #enter(node: Node): void {
    this.#indexes.push(this.#index)
    this.#node = node
    this.#branch = branchOf(node)
    this.#index = 0
  }

  /** Goes on behind the node whose children have all been visited; false at the end. */
  #leave(): boolean {
    if (this.#indexes.length > 0) {
      this.#index = this.#indexes.pop()!
      this.#node = this.#node!.parent
      this.#branch = this.#node!.branch
      return true
    }
    const next = this.#chunks?.open(this.#chunk++)
    if (next === undefined) {
      this.#branch = null
      return false
    }
    this.#node = next.root
    this.#branch = branchOf(next.root)
    this.#index = 0
    return true
  }
}

/** Walks through the children of one level of a record: its events, links, exemplars. */
export class ChildWalk {
  readonly #node: Node
  readonly #branch: Branch
  readonly #level: number
  #index = 0

  constructor(node: Node, level: number) {
    this.#node = node
    this.#branch = branchOf(node)
    this.#level = level
  }

  next(): Node | undefined {
    for (;;) {
      const index = this.#index++
      const children = this.#branch.children
      const child = index < children.length ? children[index] : nextChild(this.#node, this.#branch)
      if (child === undefined || child.level === this.#level) return child
    }
  }
}
