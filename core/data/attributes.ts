import {
  appendAttribute,
  attributeIs,
  attributeKind,
  deleteAttribute,
  getAttribute,
  hasAttribute,
  insertAttribute,
  renameAttribute,
  setAttribute,
  updateAttribute,
} from './attribute-edits.ts'
import { rowAt, rowsOf } from './edit.ts'
import {
  fieldStart,
  keyEnd,
  keyStart,
  messageEnd,
  nextAttribute,
  openAttribute,
  valueEnd,
  valueStart,
} from './find-attribute.ts'
import { keyOf } from './key.ts'
import { ATTRIBUTES_TAG } from './levels.ts'
import type { Node } from './node.ts'
import type { Attributes, Double, Key, Value, ValueKind } from './records.ts'
import type { Row } from './row.ts'
import { readValue } from './value.ts'
import { text } from './wire.ts'

/** The attributes of any message. Made anew at each use, which costs nothing: it does not outlive the expression. */
export class AttributesView implements Attributes {
  readonly #node: Node

  constructor(node: Node) {
    this.#node = node
  }

  get size(): number {
    const node = this.#node
    const rows = rowsOf(node)
    let size = 0
    let p = node.start
    while (nextAttribute(node.draft.b, p, node.end, ATTRIBUTES_TAG[node.level]!)) {
      p = messageEnd
      if (rowAt(rows, fieldStart) === null) size++
    }
    for (let row = rows; row !== null; row = row.next) if (isAttribute(row)) size++
    return size
  }

  get(key: string | Key): Value | undefined {
    return getAttribute(this.#node, keyOf(key))
  }

  is(key: string | Key, text: string): boolean {
    return attributeIs(this.#node, keyOf(key), text)
  }

  has(key: string | Key): boolean {
    return hasAttribute(this.#node, keyOf(key))
  }

  kind(key: string | Key): ValueKind | undefined {
    return attributeKind(this.#node, keyOf(key))
  }

  set(key: string | Key, value: Value | Double): void {
    setAttribute(this.#node, keyOf(key), value)
  }

  insert(key: string | Key, value: Value | Double): boolean {
    return insertAttribute(this.#node, keyOf(key), value)
  }

  update(key: string | Key, value: Value | Double): boolean {
    return updateAttribute(this.#node, keyOf(key), value)
  }

  append(key: string | Key, value: Value | Double): void {
    appendAttribute(this.#node, keyOf(key), value)
  }

  delete(key: string | Key): boolean {
    return deleteAttribute(this.#node, keyOf(key))
  }

  rename(from: string | Key, to: string | Key): boolean {
    return renameAttribute(this.#node, keyOf(from), keyOf(to))
  }

  [Symbol.iterator](): IterableIterator<[string, Value]> {
    return new AttributesIterator(this.#node)
  }
}

function isAttribute(row: Row): boolean {
  return row.what !== null && typeof row.what === 'object'
}

/** Yields the attributes in order of the source, edited ones in their place, then those added. Edits on the way are legal. */
class AttributesIterator implements IterableIterator<[string, Value]> {
  readonly #node: Node
  #p: number
  /** The addition yielded last. */
  #last: Row | null = null

  constructor(node: Node) {
    this.#node = node
    this.#p = node.start
  }

  next(): IteratorResult<[string, Value], undefined> {
    const node = this.#node
    const { b, v } = node.draft
    const rows = rowsOf(node)
    while (nextAttribute(b, this.#p, node.end, ATTRIBUTES_TAG[node.level]!)) {
      this.#p = messageEnd
      const row = rowAt(rows, fieldStart)
      if (row === null) return { done: false, value: opened(b, v) }
      if (isAttribute(row)) return this.#written(row)
    }
    this.#p = node.end
    let row = this.#last === null ? rows : this.#last.next
    while (row !== null && !(row.from === node.end && isAttribute(row))) row = row.next
    if (row === null) return { done: true, value: undefined }
    this.#last = row
    return this.#written(row)
  }

  #written(row: Row): IteratorResult<[string, Value], undefined> {
    const literals = this.#node.draft.literals
    openAttribute(literals.b, row.start)
    return { done: false, value: opened(literals.b, literals.v) }
  }

  [Symbol.iterator](): this {
    return this
  }
}

/** The attribute in the registers. */
function opened(b: Buffer, v: DataView): [string, Value] {
  const from = valueStart
  const to = valueEnd
  return [text(b, keyStart, keyEnd), from < 0 ? null : readValue(b, v, from, to)]
}
