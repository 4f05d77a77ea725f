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
  // Positions that go round a loop are integers for V8 only by `| 0`; as doubles they cost half as much again.
  const size = key.size
  p |= 0
  end |= 0
  while (p < end) {
    const from = p
    let tag = b[p++]!
    if (tag > 127) {
      tag = longTag(b, p, tag)
      p = after | 0
    }
    const wireType = tag & 7
    if (wireType !== LENGTH) {
      // Not by a call: it would be made for half of the fields of a record.
      if (wireType === FIXED64) p = (p + 8) | 0
      else if (wireType === VARINT) {
        while (b[p]! > 127) p++
        p = (p + 1) | 0
      } else p = skip(b, p, end, wireType) | 0
      continue
    }
    let n = b[p++]!
    if (n > 127) {
      n = longLength(b, p, n)
      p = after | 0
    }
    const stop = (p + n) | 0
    if (tag !== attributesTag) {
      p = stop
      continue
    }
    if (n > 1 && b[p] === KEY && b[p + 1]! < 128) {
      if (b[p + 1] === size && equalKey(v, p + 2, key)) {
        fieldStart = from
        const value = (p + size + 4) | 0
        if (b[value - 2] === VALUE && b[value - 1]! < 128 && value + b[value - 1]! === stop) {
          messageStart = p
          messageEnd = stop
          keyField = p
          keyStart = p + 2
          keyEnd = value - 2
          valueStart = value
          valueEnd = stop
        } else openAt(b, p, stop)
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
      p = after | 0
    }
    if (tag === attributesTag) {
      openAttribute(b, from)
      return true
    }
    p = skip(b, p, end, tag & 7) | 0
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
    p = after | 0
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
      p = after | 0
    }
    if ((tag & 7) !== LENGTH) {
      p = skip(b, p, stop, tag & 7) | 0
      continue
    }
    let n = b[p++]!
    if (n > 127) {
      n = longLength(b, p, n)
      p = after | 0
    }
    const end = Math.min(p + n, stop) | 0
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
