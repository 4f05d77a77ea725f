import type { Value, ValueKind } from './records.ts'
import { after, high, int64, LENGTH, longLength, longTag, low, skip, text, varint, varint64 } from './wire.ts'

/** Values nested deeper than the door lets in read as empty. */
const MAX_DEPTH = 64

const STRING = 1
const BOOL = 2
const INT = 3
const DOUBLE = 4
const ARRAY = 5
const MAP = 6
const BYTES = 7
const KINDS: readonly ValueKind[] = ['empty', 'string', 'bool', 'int', 'double', 'array', 'map', 'bytes']

/** Register: where the body of the member found by `member` begins. */
let bodyStart = 0
let bodyEnd = 0

/** The field number of what an AnyValue `[p, end)` holds, 0 for nothing; of several members the last one counts. */
function member(b: Buffer, p: number, end: number): number {
  let found = 0
  while (p < end) {
    let tag = b[p++]!
    if (tag > 127) {
      tag = longTag(b, p, tag)
      p = after | 0
    }
    let body = p
    if ((tag & 7) === LENGTH) {
      let n = b[p++]!
      if (n > 127) {
        n = longLength(b, p, n)
        p = after | 0
      }
      body = p
      p = Math.min(p + n, end) | 0
    } else p = skip(b, p, end, tag & 7) | 0
    if (tag < 64) {
      found = tag >>> 3
      bodyStart = body
      bodyEnd = p
    }
  }
  return found
}

/** The AnyValue `[p, end)` as a JavaScript value. Bytes are a view, valid as long as the payload. */
export function readValue(b: Buffer, v: DataView, p: number, end: number, depth = 0): Value {
  // The common case, without the search: one short string and nothing else.
  if (b[p] === 10 && p + 2 + b[p + 1]! === end && b[p + 1]! < 128) return text(b, p + 2, end)
  const kind = member(b, p, end)
  const start = bodyStart
  const stop = bodyEnd
  switch (kind) {
    case STRING:
      return text(b, start, stop)
    case BOOL:
      varint64(b, start)
      return low !== 0 || high !== 0
    case INT:
      varint64(b, start)
      return int64(low, high)
    case DOUBLE:
      return v.getFloat64(start, true)
    case ARRAY:
      return depth < MAX_DEPTH ? readArray(b, v, start, stop, depth + 1) : null
    case MAP:
      return depth < MAX_DEPTH ? readMap(b, v, start, stop, depth + 1) : null
    case BYTES:
      return b.subarray(start, stop)
    default:
      return null
  }
}

/** The body of an ArrayValue. */
function readArray(b: Buffer, v: DataView, p: number, end: number, depth: number): Value[] {
  const values: Value[] = []
  while (p < end) {
    const tag = varint(b, p)
    p = after | 0
    if (tag === 10) {
      const n = varint(b, p)
      p = after | 0
      const stop = Math.min(p + n, end) | 0
      values.push(readValue(b, v, p, stop, depth))
      p = stop
    } else p = skip(b, p, end, tag & 7)
  }
  return values
}

/** The body of a KeyValueList. Of several entries with one key the first counts, as with attributes. */
function readMap(b: Buffer, v: DataView, p: number, end: number, depth: number): { [key: string]: Value } {
  const map: { [key: string]: Value } = {}
  while (p < end) {
    const tag = varint(b, p)
    p = after | 0
    if (tag !== 10) {
      p = skip(b, p, end, tag & 7)
      continue
    }
    const n = varint(b, p)
    p = after | 0
    const stop = Math.min(p + n, end) | 0
    let name = ''
    let value: Value = null
    while (p < stop) {
      const field = varint(b, p)
      p = after | 0
      if (field === 10 || field === 18) {
        const size = varint(b, p)
        p = after | 0
        const to = Math.min(p + size, stop)
        if (field === 10) name = text(b, p, to)
        else value = readValue(b, v, p, to, depth)
        p = to
      } else p = skip(b, p, stop, field & 7)
    }
    if (!Object.hasOwn(map, name)) put(map, name, value)
  }
  return map
}

function put(map: { [key: string]: Value }, name: string, value: Value): void {
  // Assigning to this name would set the prototype instead.
  if (name === '__proto__') {
    Object.defineProperty(map, name, { value, configurable: true, enumerable: true, writable: true })
  } else map[name] = value
}

/** What an AnyValue `[p, end)` holds. */
export function kindOf(b: Buffer, p: number, end: number): ValueKind {
  return KINDS[member(b, p, end)]!
}

/** Whether the AnyValue `[p, end)` is the string `wanted`. Compares without making a string where it can. */
export function isText(b: Buffer, p: number, end: number, wanted: string): boolean {
  if (member(b, p, end) !== STRING) return false
  const start = bodyStart
  const n = bodyEnd - start
  if (n !== wanted.length) return n > wanted.length && text(b, start, start + n) === wanted
  for (let i = 0; i < n; i++) {
    const c = b[start + i]!
    if (c !== wanted.charCodeAt(i) || c > 127) return false
  }
  return true
}
