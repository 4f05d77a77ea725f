import type { AttributeKey } from './key.ts'
import { after, FIXED64, LENGTH, longLength, longTag, skip, VARINT } from './wire.ts'

/**
 * Registers of the KeyValue that was found or opened last. Positions of the whole field (from its tag), of the message,
 * of its key field (from its tag), of the key, of the body of its value. `valueStart` is -1 when there is no value;
 * `keyField` and `keyEnd` are equal when there is no key, which means the empty one.
 */
export let fieldStart = 0
export let messageStart = 0
export let messageEnd = 0
export let keyField = 0
export let keyStart = 0
export let keyEnd = 0
export let valueStart = 0
export let valueEnd = 0

const KEY = 10
const VALUE = 18

/**
 * Looks for the next attribute with this key in the fields `[p, end)` of a message whose attributes have the given tag,
 * and sets the registers. The common shape of a KeyValue (key first, less than 128 bytes) is recognised without parsing
 * it; all others take the long way.
 */
export function findAttribute(
  b: Buffer,
  v: DataView,
  p: number,
  end: number,
  attributesTag: number,
  key: AttributeKey,
): boolean {
  const size = key.size
  while (p < end) {
    const from = p
    let tag = b[p++]!
    if (tag > 127) {
      tag = longTag(b, p, tag)
      p = after
    }
    const wireType = tag & 7
    if (wireType !== LENGTH) {
      // Not by a call: it would be made for half of the fields of a record.
      if (wireType === FIXED64) p += 8
      else if (wireType === VARINT) {
        while (b[p]! > 127) p++
        p++
      } else p = skip(b, p, end, wireType)
      continue
    }
    let n = b[p++]!
    if (n > 127) {
      n = longLength(b, p, n)
      p = after
    }
    const stop = p + n
    if (tag !== attributesTag) {
      p = stop
      continue
    }
    if (n > 1 && b[p] === KEY && b[p + 1]! < 128) {
      if (b[p + 1] === size && equalKey(v, p + 2, key)) {
        fieldStart = from
        openAt(b, p, stop)
        return true
      }
    } else {
      openAt(b, p, stop)
      if (keyEnd - keyStart === size && equalKey(v, keyStart, key)) {
        fieldStart = from
        return true
      }
    }
    p = stop
  }
  return false
}

function equalKey(v: DataView, p: number, key: AttributeKey): boolean {
  const size = key.size
  const w = key.view
  if (size < 4) {
    for (let i = 0; i < size; i++) if (v.getUint8(p + i) !== w.getUint8(i)) return false
    return true
  }
  const last = size - 4
  if (v.getInt32(p + last) !== key.tail) return false
  for (let i = 0; i < last; i += 4) if (v.getInt32(p + i) !== w.getInt32(i)) return false
  return true
}

/** Sets the registers for the next attribute in the fields `[p, end)`, whatever its key. */
export function nextAttribute(b: Buffer, p: number, end: number, attributesTag: number): boolean {
  while (p < end) {
    const from = p
    let tag = b[p++]!
    if (tag > 127) {
      tag = longTag(b, p, tag)
      p = after
    }
    if (tag === attributesTag) {
      openAttribute(b, from)
      return true
    }
    p = skip(b, p, end, tag & 7)
  }
  return false
}

/** Sets the registers for the KeyValue field that begins with its tag at `from`. */
export function openAttribute(b: Buffer, from: number): void {
  let p = from
  while (b[p++]! > 127);
  let n = b[p++]!
  if (n > 127) {
    n = longLength(b, p, n)
    p = after
  }
  fieldStart = from
  openAt(b, p, p + n)
}

/** Finds key and value in the KeyValue `[p, stop)`, in any order, and sets the registers. */
function openAt(b: Buffer, p: number, stop: number): void {
  messageStart = p
  messageEnd = stop
  keyField = p
  keyStart = p
  keyEnd = p
  valueStart = -1
  valueEnd = -1
  while (p < stop) {
    const from = p
    let tag = b[p++]!
    if (tag > 127) {
      tag = longTag(b, p, tag)
      p = after
    }
    if ((tag & 7) !== LENGTH) {
      p = skip(b, p, stop, tag & 7)
      continue
    }
    let n = b[p++]!
    if (n > 127) {
      n = longLength(b, p, n)
      p = after
    }
    const end = Math.min(p + n, stop)
    if (tag === KEY) {
      keyField = from
      keyStart = p
      keyEnd = end
    } else if (tag === VALUE) {
      valueStart = p
      valueEnd = end
    }
    p = end
  }
}
