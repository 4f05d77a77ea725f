import { REQUEST_LEVEL } from './levels.ts'
import { Literals } from './literals.ts'
import { Node } from './node.ts'
import type { Chunk } from './payload.ts'
import type { Signal } from './signal.ts'
import { viewOf } from './wire.ts'

/** Thrown by every edit of a draft that has been sealed: its bytes belong to others by now. */
export class DraftSealed extends Error {
  override readonly name = 'DraftSealed'
  constructor() {
    super('Could not edit: the draft has been sealed')
  }
}

/** What the drafts of the chunks of one payload have in common. */
export interface Owner {
  sealed: boolean
}

let lastId = 0

/** One chunk open for reading and editing: the source, which never changes, and what is to be written in its place. */
export class ChunkDraft {
  /** The source bytes, and the same again for words. */
  readonly b: Buffer
  readonly v: DataView
  readonly chunk: Chunk
  readonly owner: Owner
  /** Distinguishes the sources for which field locations are remembered. */
  readonly id: number
  readonly root: Node
  /** Items left. */
  items: number
  #literals: Literals | undefined

  constructor(owner: Owner, signal: Signal, chunk: Chunk) {
    this.b = chunk.flat()
    this.v = viewOf(this.b)
    this.chunk = chunk
    this.owner = owner
    // A small integer, so that comparing is cheap; a wrap after 2^30 chunks is harmless.
    lastId = (lastId + 1) & 0x3fff_ffff
    this.id = lastId
    this.items = chunk.items
    this.root = new Node(this, null, REQUEST_LEVEL[signal], 0, 0, this.b.length)
  }

  /** The bytes of new attributes and fields. Made at the first edit. */
  get literals(): Literals {
    this.#literals ??= new Literals()
    return this.#literals
  }
}
