import { after, FIXED32, FIXED64, LENGTH, longLength, longTag, VARINT } from './wire.ts'

/** Registers of the last field found: where its tag begins and where its body ends. Read them at once. */
export let fieldStart = 0
export let fieldEnd = 0

/**
 * The one table of field locations, for the record that was asked last: a record is scanned once however many of its
 * fields are read. It is never cleared for another record of the same source, since records are disjoint ranges: an
 * entry counts only when it and `scanned` lie in the record and the entry lies before `scanned`.
 */
const tagAt = new Int32Array(32).fill(-1)
const bodyAt = new Int32Array(32)
const bodyEnd = new Int32Array(32)
let source = -1
let scanned = -1

/**
 * The position of the body of singular field `field`, 1 to 31, of the record `[start, end)`, or -1. `id` names the bytes
 * (`ChunkDraft.id`). For records only, which never contain one another; other messages take {@link scan}.
 */
export function locate(b: Buffer, id: number, start: number, end: number, field: number): number {
  // Positions are kept integers for V8 by `| 0`, as in findAttribute.
  let p = start | 0
  end |= 0
  if (source === id) {
    if (scanned >= start && scanned <= end) {
      const known = tagAt[field]!
      if (known >= start && known < scanned) {
        fieldStart = known
        fieldEnd = bodyEnd[field]!
        return bodyAt[field]!
      }
      p = scanned | 0
    }
  } else {
    source = id
    tagAt.fill(-1)
  }
  while (p < end) {
    const from = p
    let tag = b[p++]!
    if (tag > 127) {
      tag = longTag(b, p, tag)
      p = after | 0
    }
    let body = p
    const wireType = tag & 7
    if (wireType === LENGTH) {
      let size = b[p++]!
      if (size > 127) {
        size = longLength(b, p, size)
        p = after | 0
      }
      body = p
      p = (p + size) | 0
    } else if (wireType === VARINT) {
      while (b[p]! > 127) p++
      p = (p + 1) | 0
    } else if (wireType === FIXED64) p = (p + 8) | 0
    else if (wireType === FIXED32) p = (p + 4) | 0
    else p = end
    const number = tag >>> 3
    if (number < 32) {
      tagAt[number] = from
      bodyAt[number] = body
      bodyEnd[number] = p
      if (number === field) {
        scanned = p
        fieldStart = from
        fieldEnd = p
        return body
      }
    }
  }
  scanned = end
  return -1
}

/** The same for any message, searched from its start each time. */
export function scan(b: Buffer, start: number, end: number, field: number): number {
  let p = start | 0
  end |= 0
  while (p < end) {
    const from = p
    let tag = b[p++]!
    if (tag > 127) {
      tag = longTag(b, p, tag)
      p = after | 0
    }
    let body = p
    const wireType = tag & 7
    if (wireType === LENGTH) {
      let size = b[p++]!
      if (size > 127) {
        size = longLength(b, p, size)
        p = after | 0
      }
      body = p
      p = (p + size) | 0
    } else if (wireType === VARINT) {
      while (b[p]! > 127) p++
      p = (p + 1) | 0
    } else if (wireType === FIXED64) p = (p + 8) | 0
    else if (wireType === FIXED32) p = (p + 4) | 0
    else p = end
    if (tag >>> 3 === field) {
      fieldStart = from
      fieldEnd = p
      return body
    }
  }
  return -1
}
