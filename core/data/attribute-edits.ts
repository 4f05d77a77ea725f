import { addRow, isEditable, rowAt, rowsOf } from './edit.ts'
import {
  fieldStart,
  findAttribute,
  keyEnd,
  keyField,
  messageEnd,
  messageStart,
  openAttribute,
  valueEnd,
  valueStart,
} from './find-attribute.ts'
import type { AttributeKey } from './key.ts'
import { ATTRIBUTES_TAG } from './levels.ts'
import type { Node } from './node.ts'
import type { Double, Value, ValueKind } from './records.ts'
import type { Row } from './row.ts'
import { isText, kindOf, readValue } from './value.ts'

/**
 * What {@link Attributes} does, on a message. Where a sender has given a key more than once, the first counts when it is
 * read, and none is left after the key has been deleted or renamed, only one after it has been set.
 */

/** Finds the first attribute with this key at or behind `p` of the source that no edit has touched. */
function findSource(node: Node, key: AttributeKey, p: number): boolean {
  const d = node.draft
  const tag = ATTRIBUTES_TAG[node.level]!
  if (node.rows === null) return findAttribute(d.b, d.v, p, node.end, tag, key)
  const rows = rowsOf(node)
  while (findAttribute(d.b, d.v, p, node.end, tag, key)) {
    if (rowAt(rows, fieldStart) === null) return true
    p = messageEnd
  }
  return false
}

/** The edit that has written an attribute with this key. */
function findRow(node: Node, key: AttributeKey): Row | null {
  if (node.rows === null) return null
  for (let row = rowsOf(node); row !== null; row = row.next) {
    const what = row.what
    if (what === key || (what !== null && typeof what === 'object' && what.name === key.name)) return row
  }
  return null
}

export function hasAttribute(node: Node, key: AttributeKey): boolean {
  return findRow(node, key) !== null || findSource(node, key, node.start)
}

export function getAttribute(node: Node, key: AttributeKey): Value | undefined {
  const row = findRow(node, key)
  if (row !== null) {
    const literals = node.draft.literals
    openAttribute(literals.b, row.start)
    return valueStart < 0 ? null : readValue(literals.b, literals.v, valueStart, valueEnd)
  }
  if (!findSource(node, key, node.start)) return undefined
  return valueStart < 0 ? null : readValue(node.draft.b, node.draft.v, valueStart, valueEnd)
}

export function attributeIs(node: Node, key: AttributeKey, text: string): boolean {
  const row = findRow(node, key)
  if (row !== null) {
    const b = node.draft.literals.b
    openAttribute(b, row.start)
    return valueStart >= 0 && isText(b, valueStart, valueEnd, text)
  }
  return findSource(node, key, node.start) && valueStart >= 0 && isText(node.draft.b, valueStart, valueEnd, text)
}

export function attributeKind(node: Node, key: AttributeKey): ValueKind | undefined {
  const row = findRow(node, key)
  if (row !== null) {
    const b = node.draft.literals.b
    openAttribute(b, row.start)
    return valueStart < 0 ? 'empty' : kindOf(b, valueStart, valueEnd)
  }
  if (!findSource(node, key, node.start)) return undefined
  return valueStart < 0 ? 'empty' : kindOf(node.draft.b, valueStart, valueEnd)
}

export function appendAttribute(node: Node, key: AttributeKey, value: Value | Double): void {
  if (!isEditable(node)) return
  const literals = node.draft.literals
  const start = literals.attribute(ATTRIBUTES_TAG[node.level]!, key, value)
  addRow(node, node.end, node.end, start, literals.end, key)
}

export function setAttribute(node: Node, key: AttributeKey, value: Value | Double): void {
  if (isEditable(node) && !updateAttribute(node, key, value)) appendAttribute(node, key, value)
}

export function insertAttribute(node: Node, key: AttributeKey, value: Value | Double): boolean {
  if (!isEditable(node) || hasAttribute(node, key)) return false
  appendAttribute(node, key, value)
  return true
}

export function updateAttribute(node: Node, key: AttributeKey, value: Value | Double): boolean {
  if (!isEditable(node)) return false
  const row = findRow(node, key)
  if (row === null && !findSource(node, key, node.start)) return false
  const from = fieldStart
  const to = messageEnd
  const literals = node.draft.literals
  const start = literals.attribute(ATTRIBUTES_TAG[node.level]!, key, value)
  if (row !== null) {
    row.start = start
    row.end = literals.end
  } else {
    addRow(node, from, to, start, literals.end, key)
    deleteSource(node, key, to)
  }
  return true
}

export function deleteAttribute(node: Node, key: AttributeKey): boolean {
  if (!isEditable(node)) return false
  let found = false
  for (let row = findRow(node, key); row !== null; row = findRow(node, key)) {
    found = true
    row.what = null
    row.end = row.start
  }
  return deleteSource(node, key, node.start) || found
}

/** Deletes every attribute of the source with this key at or behind `p`. */
function deleteSource(node: Node, key: AttributeKey, p: number): boolean {
  let found = false
  while (findSource(node, key, p)) {
    p = messageEnd
    addRow(node, fieldStart, p, 0, 0, null)
    found = true
  }
  return found
}

export function renameAttribute(node: Node, from: AttributeKey, to: AttributeKey): boolean {
  if (!isEditable(node)) return false
  if (from.name === to.name) return hasAttribute(node, from)
  const literals = node.draft.literals
  const tag = ATTRIBUTES_TAG[node.level]!
  const row = findRow(node, from)
  if (row !== null) {
    openAttribute(literals.b, row.start)
    const start = literals.renamed(tag, to, literals.b, messageStart, messageEnd, keyField, keyEnd)
    const end = literals.end
    deleteAttribute(node, to)
    row.start = start
    row.end = end
    row.what = to
    return true
  }
  if (!findSource(node, from, node.start)) return false
  const source = fieldStart
  const behind = messageEnd
  const start = literals.renamed(tag, to, node.draft.b, messageStart, messageEnd, keyField, keyEnd)
  const end = literals.end
  deleteAttribute(node, to)
  addRow(node, source, behind, start, end, to)
  deleteSource(node, from, behind)
  return true
}
