import type { ChunkDraft } from './chunk-draft.ts'
import { ASIDE, RANK } from './levels.ts'
import { isNew, type Node, nextChild } from './node.ts'
import { Chunk } from './payload.ts'
import { DROPPED, type Row } from './row.ts'
import { copyBytes, putVarint, varintSize } from './wire.ts'

/** Untouched runs of at least this many bytes are referenced by the sealed chunk instead of copied. */
const REFERENCED = 4096

/**
 * What is to be written, in order of the source: steps of four numbers. `from` and `to` are the source range that gives
 * way; then, for a literal, its start and end; for a length, `NEW_LENGTH` and the length; for a message that is new, `NEW_MESSAGE`
 * and its length; `NOTHING` for a step that turned out not to be needed. Kept from one sealing to the next.
 */
let tape = new Int32Array(256)
let used = 0
const NEW_LENGTH = -1
const NEW_MESSAGE = -2
const NOTHING = -3

function step(from: number, to: number, start: number, end: number): void {
  if (used + 4 > tape.length) {
    const grown = new Int32Array(tape.length * 2)
    grown.set(tape)
    tape = grown
  }
  tape[used] = from
  tape[used + 1] = to
  tape[used + 2] = start
  tape[used + 3] = end
  used += 4
}

/**
 * The chunk with the edits of its draft: the very chunk when there are none, `undefined` when nothing is left of it.
 * Lengths are exact and minimal in every message that has changed in size; everything else stays byte for byte.
 */
export function sealChunk(draft: ChunkDraft): Chunk | undefined {
  if (draft.root.branch?.touched !== true) return draft.chunk
  used = 0
  const size = draft.b.length + planInside(draft.root)
  if (used === 0) return draft.chunk
  if (size === 0) return undefined
  return new Chunk(assemble(draft, size), draft.items)
}

/**
 * Writes the steps for a message and all below it; returns by how many bytes it changes in its parent. A message that
 * goes as a whole shrinks by all of its bytes.
 */
function plan(node: Node): number {
  const { tagAt, start, end } = node
  if (node.rows === DROPPED) {
    step(tagAt, end, 0, 0)
    return tagAt - end
  }
  const slot = used
  const fresh = isNew(node)
  const lengthAt = fresh ? end : behindTag(node)
  step(lengthAt, start, NOTHING, 0)
  const inside = planInside(node)
  if (emptied) {
    used = slot
    step(tagAt, end, 0, 0)
    return tagAt - end
  }
  if (used === slot + 4 || inside === 0) {
    if (used === slot + 4) used = slot
    return 0
  }
  const size = end - start + inside
  tape[slot + 2] = fresh ? NEW_MESSAGE : NEW_LENGTH
  tape[slot + 3] = size
  return inside + varintSize(size) + (fresh ? 1 : lengthAt - start)
}

/**
 * Register of `planInside`: whether the message had records below it, or messages with records, of which none is left.
 * Those that were empty when they came stay.
 */
let emptied = false

/** The steps for what is inside a message; returns by how many bytes that changes. */
function planInside(node: Node): number {
  let row = node.rows
  let change = 0
  let left = 0
  let gone = 0
  const branch = node.branch
  if (branch?.touched) {
    for (const child of branch.children) {
      const counts = RANK[child.level] !== ASIDE
      if (child.rows === null && child.branch?.touched !== true) {
        if (counts) left++
        continue
      }
      for (; row !== null && row.from < child.tagAt; row = row.next) change += planRow(row)
      const changed = plan(child)
      change += changed
      if (!counts) continue
      if (changed === child.tagAt - child.end) gone++
      else left++
    }
    while (gone > 0 && left === 0) {
      const more = nextChild(node, branch)
      if (more === undefined) break
      if (RANK[more.level] !== ASIDE) left++
    }
  }
  for (; row !== null; row = row.next) change += planRow(row)
  emptied = gone > 0 && left === 0
  return change
}

function planRow(row: Row): number {
  const { from, to, start, end } = row
  // An addition that was taken back.
  if (from === to && start === end) return 0
  step(from, to, start, end)
  return end - start - (to - from)
}

function behindTag(node: Node): number {
  const b = node.draft.b
  let p = node.tagAt
  while (b[p++]! > 127);
  return p
}

/** Writes what the tape says, in pieces. */
function assemble(draft: ChunkDraft, size: number): Buffer[] {
  const source = draft.b
  let gathered = size
  let behind = 0
  for (let i = 0; i <= used; i += 4) {
    const gap = (i < used ? tape[i]! : source.length) - behind
    if (gap >= REFERENCED) gathered -= gap
    if (i < used) behind = tape[i + 1]!
  }
  const out = Buffer.allocUnsafeSlow(gathered)
  const pieces: Buffer[] = []
  const literals = draft.literals.b
  // The run of the source that is to be copied next begins at `run`; the steps from `first` on change lengths inside it.
  let run = 0
  let first = 0
  let at = 0
  let cut = 0
  behind = 0
  for (let i = 0; i <= used; i += 4) {
    const from = (i < used ? tape[i]! : source.length) | 0
    if (from - behind >= REFERENCED) {
      at = copyRun(source, run, behind, out, at, first, i) | 0
      if (at > cut) pieces.push(out.subarray(cut, at))
      cut = at
      pieces.push(source.subarray(behind, from))
      run = from
      first = i
    }
    if (i === used) {
      at = copyRun(source, run, from, out, at, first, i) | 0
      break
    }
    const to = tape[i + 1]!
    const start = tape[i + 2]!
    const end = tape[i + 3]!
    behind = to
    if (start === NOTHING) continue
    // A length that keeps its width is overwritten after the run around it has been copied: half as many copies.
    if (start === NEW_LENGTH && varintSize(end) === to - from) continue
    at = copyRun(source, run, from, out, at, first, i) | 0
    run = to
    first = i + 4
    if (start === NEW_LENGTH) at = putVarint(out, at, end) | 0
    else if (start === NEW_MESSAGE) {
      // Resource and scope are both field 1.
      out[at] = 10
      at = putVarint(out, at + 1, end) | 0
    } else at = copyBytes(literals, start, end, out, at) | 0
  }
  if (at > cut) pieces.push(cut === 0 ? out : out.subarray(cut, at))
  return pieces
}

/** Copies `[from, to)` of the source and puts the new lengths of the steps `[first, last)` into the copy. */
function copyRun(source: Buffer, from: number, to: number, out: Buffer, at: number, first: number, last: number) {
  const end = copyBytes(source, from, to, out, at)
  for (let i = first; i < last; i += 4) {
    if (tape[i + 2] === NEW_LENGTH) putVarint(out, at + tape[i]! - from, tape[i + 3]!)
  }
  return end
}
