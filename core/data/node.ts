import type { ChunkDraft } from './chunk-draft.ts'
import { ASIDE, CHILD_LEVEL, RANK, RECORD_RANK } from './levels.ts'
import type { Row } from './row.ts'
import { DROPPED } from './row.ts'
import { after, LENGTH, longLength, longTag, skip } from './wire.ts'

/**
 * A message that is walked or edited: a range of the source and the edits recorded for it. Nodes of a chunk form a tree
 * that is made as it is walked and kept, so there is one node for each message however often it is visited, and the next
 * walk sees the edits of the one before. One class for all messages of all signals: reading a property of objects of
 * many classes costs ten times as much.
 */
export class Node {
  declare readonly draft: ChunkDraft
  declare readonly parent: Node | null
  declare readonly level: number
  /** Where the tag begins, where the message itself begins and ends. */
  declare readonly tagAt: number
  declare readonly start: number
  declare readonly end: number
  /** The first edit, `DROPPED`, or `null` for a clean message. */
  declare rows: Row | null
  declare branch: Branch | null

  constructor(draft: ChunkDraft, parent: Node | null, level: number, tagAt: number, start: number, end: number) {
    this.draft = draft
    this.parent = parent
    this.level = level
    this.tagAt = tagAt
    this.start = start
    this.end = end
    this.rows = null
    this.branch = null
  }
}

/** The children of a node, as far as they have been visited. */
export class Branch {
  readonly children: Node[] = []
  /** Up to where the node has been searched for children. */
  parsed: number
  /** Whether something below this node has been edited. */
  touched = false

  constructor(parsed: number) {
    this.parsed = parsed
  }
}

/** The children of `node`, of which more may be found by {@link nextChild}. */
export function branchOf(node: Node): Branch {
  node.branch ??= new Branch(node.start)
  return node.branch
}

/** Finds one more child, appends it to the branch and returns it; `undefined` when there is none. */
export function nextChild(node: Node, branch: Branch): Node | undefined {
  const b = node.draft.b
  // Positions are kept integers for V8 by `| 0`, as in findAttribute.
  const end = node.end | 0
  const levels = node.level << 7
  let p = branch.parsed | 0
  while (p < end) {
    const tagAt = p
    let tag = b[p++]!
    if (tag > 127) {
      tag = longTag(b, p, tag)
      p = after | 0
    }
    if ((tag & 7) !== LENGTH) {
      p = skip(b, p, end, tag & 7) | 0
      continue
    }
    let size = b[p++]!
    if (size > 127) {
      const second = b[p]!
      if (second < 128) {
        size = (size & 127) | (second << 7)
        p++
      } else {
        size = longLength(b, p, size)
        p = after | 0
      }
    }
    const stop = Math.min(p + size, end) | 0
    const level = tag < 128 ? CHILD_LEVEL[levels | tag]! : 0
    if (level !== 0) {
      const child = new Node(node.draft, node, level, tagAt, p, stop)
      branch.parsed = stop
      branch.children.push(child)
      return child
    }
    p = stop
  }
  branch.parsed = end
  return undefined
}

/** The child at `index` in order of the source, `undefined` behind the last. */
export function childAt(node: Node, branch: Branch, index: number): Node | undefined {
  const children = branch.children
  return index < children.length ? children[index] : nextChild(node, branch)
}

/** The first child of the given level. */
export function childOf(node: Node, level: number): Node | undefined {
  const branch = branchOf(node)
  for (let i = 0; ; i++) {
    const child = childAt(node, branch, i)
    if (child === undefined || child.level === level) return child
  }
}

/**
 * The first child of the given level or, when there is none, a node for one to be inserted at the end. Such a node is
 * empty, and is written only when something has been put into it.
 */
export function childOrNew(node: Node, level: number): Node {
  const found = childOf(node, level)
  if (found !== undefined) return found
  const child = new Node(node.draft, node, level, node.end, node.end, node.end)
  branchOf(node).children.push(child)
  return child
}

/** Whether the child has come from {@link childOrNew}. */
export function isNew(node: Node): boolean {
  return node.tagAt === node.start && node.parent !== null
}

/** Whether the node has been dropped, and that is still to be shown: a sealed draft shows the source. */
export function isDropped(node: Node): boolean {
  return node.rows === DROPPED && !node.draft.owner.sealed
}

/** Whether the node or one around it has been dropped. */
export function isGone(node: Node): boolean {
  for (let x: Node | null = node; x !== null; x = x.parent) if (x.rows === DROPPED) return true
  return false
}

/** Lets the nodes around know that something below them has changed. */
export function touch(node: Node): void {
  for (let x = node.parent; x !== null; x = x.parent) {
    const branch = x.branch!
    if (branch.touched) return
    branch.touched = true
  }
}

/** The closest node of the given rank at or around `node`. */
export function ancestor(node: Node, rank: number): Node {
  let x = node
  while (RANK[x.level] !== rank) x = x.parent!
  return x
}

/** Records below a node, or the node itself, that have not been dropped. */
export function liveItems(node: Node): number {
  if (node.rows === DROPPED) return 0
  const rank = RANK[node.level]!
  if (rank === RECORD_RANK) return 1
  if (rank === ASIDE) return 0
  let live = 0
  const branch = branchOf(node)
  for (let i = 0; ; i++) {
    const child = childAt(node, branch, i)
    if (child === undefined) return live
    live += liveItems(child)
  }
}

/** The message as it came in, without tag and length: a view of the source. */
export function bytesOf(node: Node): Uint8Array {
  return node.draft.b.subarray(node.start, node.end)
}
