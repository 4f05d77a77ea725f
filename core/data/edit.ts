import { DraftSealed } from './chunk-draft.ts'
import type { AttributeKey } from './key.ts'
import { isGone, type Node, touch } from './node.ts'
import { DROPPED, Row } from './row.ts'

/**
 * Whether edits of this message are to be recorded: those of a dropped one are not.
 *
 * @throws {DraftSealed}
 */
export function isEditable(node: Node): boolean {
  if (node.draft.owner.sealed) throw new DraftSealed()
  return node.rows !== DROPPED
}

/** The edits that reading must heed: none when the message was dropped or the draft has been sealed. */
export function rowsOf(node: Node): Row | null {
  const rows = node.rows
  return rows === null || rows === DROPPED || node.draft.owner.sealed ? null : rows
}

/** Records that `[start, end)` of the literals takes the place of `[from, to)` of the source. */
export function addRow(
  node: Node,
  from: number,
  to: number,
  start: number,
  end: number,
  what: AttributeKey | number | null,
): void {
  const row = new Row(from, to, start, end, what)
  let before = node.rows
  if (before === null) touch(node)
  if (before === null || before.from > from) {
    row.next = before
    node.rows = row
    return
  }
  while (before.next !== null && before.next.from <= from) before = before.next
  row.next = before.next
  before.next = row
}

/** The row that begins at this position of the source: what lies there is no longer what it was. */
export function rowAt(rows: Row | null, from: number): Row | null {
  for (let row = rows; row !== null && row.from <= from; row = row.next) if (row.from === from) return row
  return null
}

/** Leaves the message, which is a record or contains records, out of the sealed payload; `items` are those in it. */
export function drop(node: Node, items: number): void {
  if (!isEditable(node)) return
  if (!isGone(node)) node.draft.items -= items
  touch(node)
  node.rows = DROPPED
}
