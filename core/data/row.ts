import type { AttributeKey } from './key.ts'

/**
 * One edit of a message: the source range `[from, to)` gives way to the literal `[start, end)`, which is empty for a
 * deletion; an empty range at the end of the message is an addition. Rows of a message form a list in order of the source.
 */
export class Row {
  declare readonly from: number
  declare readonly to: number
  declare start: number
  declare end: number
  /** What the literal is: the attribute with this key, the field with this number, or `null` for a deleted attribute. */
  declare what: AttributeKey | number | null
  declare next: Row | null

  constructor(from: number, to: number, start: number, end: number, what: AttributeKey | number | null) {
    this.from = from
    this.to = to
    this.start = start
    this.end = end
    this.what = what
    this.next = null
  }
}

/** Stands for all rows of a message that is left out. */
export const DROPPED = new Row(0, 0, 0, 0, null)
