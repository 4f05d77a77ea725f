import { isUtf8 } from 'node:buffer'
import { Malformed } from './malformed.ts'
import type { Signal } from './signal.ts'
import {
  ANY_FIXED32,
  ANY_FIXED64,
  ANY_LENGTH,
  ANY_VARINT,
  ITEM,
  KEY_VALUE,
  MAX_DEPTH,
  MESSAGE,
  PACKED_FIXED64,
  PACKED_VARINT,
  PLANS,
  TEXT,
  UNKNOWN,
  type ValidationPlan,
} from './validation-plan.ts'
import { FIXED32, FIXED64, LENGTH, VARINT, viewOf } from './wire.ts'

/** What one pass over the bytes of a request has found. */
export interface Validation {
  /** Spans, data points, log records, profile samples. */
  readonly items: number
  /** Whether a singular field, or two members of a `oneof`, occur in one message. Legal, but lazy readers take the first. */
  readonly repeatedSingular: boolean
  /** Position of the first string that is not UTF-8, or -1. */
  readonly invalidUtf8At: number
}

let items = 0
let repeatedSingular = false
let invalidUtf8At = -1
/** Register: the position behind what was read last. */
let after = 0

/**
 * Checks the whole framing of an OTLP request and counts its items in the same pass. What has passed keeps these
 * promises, on which all other code in this room relies: every length lies inside its parent; tags and lengths take at
 * most five bytes and other varints ten; known fields have their wire type; messages nest at most 100 deep.
 *
 * @throws {Malformed} when the bytes are no protobuf message, or none of this signal.
 */
export function validate(signal: Signal, bytes: Buffer): Validation {
  return validateMessage(PLANS[signal], bytes)
}

/** As `validate`, for any message. */
export function validateMessage(plan: ValidationPlan, bytes: Buffer): Validation {
  items = 0
  repeatedSingular = false
  invalidUtf8At = -1
  message(bytes, viewOf(bytes), 0, bytes.length, plan, 0)
  return { items, repeatedSingular, invalidUtf8At }
}

/** Whether the message in `[from, to)`, which has been validated before, needs no normalizing. */
export function isNormal(plan: ValidationPlan, b: Buffer, v: DataView, from: number, to: number): boolean {
  repeatedSingular = false
  invalidUtf8At = -1
  message(b, v, from, to, plan, 0)
  return !repeatedSingular && invalidUtf8At < 0
}

function message(b: Buffer, v: DataView, p: number, end: number, plan: ValidationPlan, depth: number): void {
  if (depth > MAX_DEPTH) throw new Malformed('messages nest too deeply', p)
  const actions = plan.actions
  const bits = plan.bits
  let seen = 0
  while (p < end) {
    const at = p
    let tag = b[p++]!
    if (tag > 127) {
      tag = number32(b, at, end)
      p = after
      if (tag > 255) {
        p = skipUnknown(b, p, end, tag, at)
        continue
      }
    }
    const bit = bits[tag]!
    if ((seen & bit) !== 0) repeatedSingular = true
    seen |= bit
    const action = actions[tag]!
    if (action < ANY_LENGTH) {
      if (action === ANY_VARINT) p = skipVarint(b, p, end)
      else if (action === ANY_FIXED64) p += 8
      else if (action === ANY_FIXED32) p += 4
      else if (action === UNKNOWN) p = skipUnknown(b, p, end, tag, at)
      else throw wrongTag(tag, at)
      if (p > end) throw new Malformed('field goes beyond the enclosing message', at)
      continue
    }
    if (p >= end) throw new Malformed('message ends before the length of a field', at)
    let size = b[p++]!
    if (size > 127) {
      const next = p < end ? b[p]! : 128
      if (next < 128) {
        size = (size & 127) | (next << 7)
        p++
      } else {
        size = number32(b, p - 1, end)
        p = after
      }
    }
    if (size > end - p) throw new Malformed('length goes beyond the enclosing message', at)
    const bodyEnd = p + size
    if (action === KEY_VALUE) {
      if (depth >= MAX_DEPTH - 1 || !commonKeyValue(b, v, p, bodyEnd)) {
        message(b, v, p, bodyEnd, plan.nested[tag >>> 3]!, depth + 1)
      }
    } else if (action === TEXT) checkText(b, v, p, bodyEnd)
    else if (action === ITEM) {
      items++
      message(b, v, p, bodyEnd, plan.nested[tag >>> 3]!, depth + 1)
    } else if (action === MESSAGE) message(b, v, p, bodyEnd, plan.nested[tag >>> 3]!, depth + 1)
    else if (action === PACKED_FIXED64) {
      if ((size & 7) !== 0) throw new Malformed('packed 64-bit numbers have a length that is no multiple of 8', at)
    } else if (action === PACKED_VARINT) for (let q = p; q < bodyEnd; ) q = skipVarint(b, q, bodyEnd)
    p = bodyEnd
  }
}

/**
 * Whether `[p, end)` is a KeyValue as nearly all are: key first, then a scalar value, one-byte lengths that add up. Most
 * of the time of the door is spent on attributes, and this halves it. All other shapes go through `message`.
 */
function commonKeyValue(b: Buffer, v: DataView, p: number, end: number): boolean {
  if (end - p < 4 || b[p] !== 10) return false
  const keySize = b[p + 1]!
  const keyEnd = p + 2 + keySize
  if (keySize > 127 || keyEnd + 2 > end || b[keyEnd] !== 18) return false
  const value = keyEnd + 2
  const valueSize = b[keyEnd + 1]!
  if (valueSize > 127 || value + valueSize !== end) return false
  if (valueSize > 1) {
    const tag = b[value]!
    if (tag === 10) {
      const size = b[value + 1]!
      if (size > 127 || value + 2 + size !== end) return false
      // Tags and lengths here are below 128 as well: one look at the high bits covers key and value together.
      if (!ascii(b, v, p, end)) {
        checkText(b, v, p + 2, keyEnd)
        checkText(b, v, value + 2, end)
      }
      return true
    }
    if (tag === 24 || tag === 16) {
      if (skipVarint(b, value + 1, end) !== end) return false
    } else if (tag !== 33 || valueSize !== 9) return false
  } else if (valueSize === 1) return false
  if (!ascii(b, v, p + 2, keyEnd)) checkText(b, v, p + 2, keyEnd)
  return true
}

/** Whether all bytes are below 128, four at a time. */
function ascii(b: Buffer, v: DataView, p: number, end: number): boolean {
  let bits = 0
  if (end - p < 4) {
    while (p < end) bits |= b[p++]!
    return bits < 128
  }
  const last = end - 4
  for (bits = v.getInt32(last); p < last; p += 4) bits |= v.getInt32(p)
  return (bits & 0x8080_8080) === 0
}

/** From this length on the call of the native check costs less than looking at words. */
const NATIVE = 512

function checkText(b: Buffer, v: DataView, p: number, end: number): void {
  if (end - p < NATIVE && ascii(b, v, p, end)) return
  if (invalidUtf8At < 0 && !isUtf8(b.subarray(p, end))) invalidUtf8At = p
}

function skipVarint(b: Buffer, p: number, end: number): number {
  const last = Math.min(p + 10, end)
  while (p < last) if (b[p++]! < 128) return p
  throw new Malformed(p === end ? 'message ends within a number' : 'number takes more than 10 bytes', p)
}

/** The tag or length at `p`; the position behind it goes to `after`. */
function number32(b: Buffer, p: number, end: number): number {
  let result = 0
  for (let shift = 0; shift < 35; shift += 7) {
    if (p >= end) throw new Malformed('message ends within a tag or length', p)
    const byte = b[p++]!
    if (shift === 28 && byte > 15) break
    result |= (byte & 127) << shift
    if (byte < 128) {
      after = p
      return result >>> 0
    }
  }
  throw new Malformed('tag or length takes more than 32 bits', p)
}

function skipUnknown(b: Buffer, p: number, end: number, tag: number, at: number): number {
  const wireType = tag & 7
  if (wireType === VARINT) return skipVarint(b, p, end)
  let size = 0
  if (wireType === FIXED64) size = 8
  else if (wireType === FIXED32) size = 4
  else if (wireType === LENGTH) {
    size = number32(b, p, end)
    p = after
  } else throw wrongTag(tag, at)
  if (size > end - p) throw new Malformed('length goes beyond the enclosing message', at)
  return p + size
}

function wrongTag(tag: number, at: number): Malformed {
  if (tag >>> 3 === 0) return new Malformed('field number 0', at)
  const wireType = tag & 7
  if (wireType === VARINT || wireType === FIXED64 || wireType === FIXED32 || wireType === LENGTH) {
    return new Malformed(`field ${tag >>> 3} has wire type ${wireType}, which is not its own`, at)
  }
  return new Malformed(`field ${tag >>> 3} has wire type ${wireType}, which OTLP does not use`, at)
}
