import { JsonWriter } from './json-writer.ts'
import type { Field, FieldKind, MessageType } from './message-type.ts'
import type { Payload } from './payload.ts'
import { REQUEST } from './tables.ts'
import { after, FIXED32, FIXED64, high, LENGTH, low, skip, VARINT, varint, varint64, viewOf } from './wire.ts'

/**
 * The payload as OTLP/JSON (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding) in UTF-8: one request
 * message in one line, with the fields that are on the wire. Ids are lower-case hex, 64-bit integers decimal strings,
 * enums numbers, other bytes base64; `NaN`, `Infinity` and `-Infinity` are strings. Unknown fields are left out.
 *
 * @throws {RangeError} for profiles, whose messages are not known.
 */
export function toJsonBytes(payload: Payload): Buffer {
  return writeRequest(payload).finish()
}

/** As `toJsonBytes`, as a string. */
export function toJson(payload: Payload): string {
  return writeRequest(payload).finishText()
}

/** The JSON of one message of any type, by the same rules. */
export function messageToJson(type: MessageType, b: Buffer): string {
  const out = new JsonWriter()
  writeMessage(out, b, viewOf(b), 0, b.length, planOf(type))
  return out.finishText()
}

function writeRequest(payload: Payload): JsonWriter {
  if (payload.signal === 'profiles') throw new RangeError('Cannot write profiles as JSON: their messages are not known')
  const entries = planOf(REQUEST[payload.signal]).fields[(1 << 3) | LENGTH]!
  const out = new JsonWriter()
  out.byte(OPEN_OBJECT)
  out.raw(entries.label)
  out.byte(OPEN_LIST)
  let first = true
  for (const chunk of payload.chunks) {
    const b = chunk.flat()
    first = writeList(out, b, viewOf(b), 0, b.length, entries, first)
  }
  out.byte(CLOSE_LIST)
  out.byte(CLOSE_OBJECT)
  return out
}

const COMMA = 44
const OPEN_LIST = 91
const CLOSE_LIST = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

/** A message type as the writer reads it: by tag, for the tags below 256. */
interface Plan {
  readonly fields: (Writable | null)[]
}

interface Writable {
  /** `"name":` */
  readonly label: Buffer
  readonly kind: FieldKind
  /** The tag of one element. */
  readonly tag: number
  /** The tag of many numbers in one field, or 0. */
  readonly packedTag: number
  /** One bit for each repeated field of the message, 0 for a singular one. */
  readonly list: number
  plan: Plan | null
}

const plans = new Map<MessageType, Plan>()

function planOf(type: MessageType): Plan {
  const known = plans.get(type)
  if (known !== undefined) return known
  const plan: Plan = { fields: new Array(256).fill(null) }
  plans.set(type, plan)
  for (const field of type.fields) {
    const { number, kind, repeated } = field
    const wireType = wireTypeOf(field)
    const tag = (number << 3) | wireType
    const packedTag = repeated && wireType !== LENGTH ? (number << 3) | LENGTH : 0
    const label = Buffer.from(`"${field.name}":`)
    const writable: Writable = { label, kind, tag, packedTag, list: repeated ? 1 << number : 0, plan: null }
    plan.fields[tag] = writable
    if (packedTag !== 0) plan.fields[packedTag] = writable
    if (field.type !== undefined) writable.plan = planOf(field.type)
  }
  return plan
}

function wireTypeOf({ kind }: Field): number {
  if (kind === 'double' || kind === 'fixed64' || kind === 'sfixed64') return FIXED64
  if (kind === 'fixed32') return FIXED32
  return kind === 'message' || kind === 'string' || kind === 'bytes' || kind === 'id' ? LENGTH : VARINT
}

function writeMessage(out: JsonWriter, b: Buffer, v: DataView, p: number, end: number, plan: Plan): void {
  const fields = plan.fields
  let written = 0
  let first = true
  out.byte(OPEN_OBJECT)
  while (p < end) {
    const at = p
    let tag = b[p++]!
    if (tag > 127) {
      tag = varint(b, at)
      p = after
    }
    const field = tag < 256 ? fields[tag]! : null
    if (field === null || (field.list & written) !== 0) {
      p = skip(b, p, end, tag & 7)
      continue
    }
    if (tag === field.packedTag && varint(b, p) === 0) {
      p = after
      continue
    }
    if (first) first = false
    else out.byte(COMMA)
    out.raw(field.label)
    if (field.list === 0) p = writeField(out, b, v, p, field)
    else {
      out.byte(OPEN_LIST)
      writeList(out, b, v, at, end, field, true)
      out.byte(CLOSE_LIST)
      written |= field.list
      p = skip(b, p, end, tag & 7)
    }
  }
  out.byte(CLOSE_OBJECT)
}

/**
 * Writes the elements of a list among the fields in `[p, end)`, which need not follow one another. `first` tells whether
 * none has been written so far, and so does the result.
 */
function writeList(
  out: JsonWriter,
  b: Buffer,
  v: DataView,
  p: number,
  end: number,
  field: Writable,
  first: boolean,
): boolean {
  while (p < end) {
    let tag = b[p++]!
    if (tag > 127) {
      tag = varint(b, p - 1)
      p = after
    }
    if (tag === field.tag) {
      if (first) first = false
      else out.byte(COMMA)
      p = writeField(out, b, v, p, field)
    } else if (tag === field.packedTag) {
      const size = varint(b, p)
      p = after
      for (const to = p + size; p < to; ) {
        if (first) first = false
        else out.byte(COMMA)
        p = writeField(out, b, v, p, field)
      }
    } else p = skip(b, p, end, tag & 7)
  }
  return first
}

/** Writes the value at `p`; returns the position behind it. */
function writeField(out: JsonWriter, b: Buffer, v: DataView, p: number, field: Writable): number {
  const kind = field.kind
  if ((field.tag & 7) === LENGTH) {
    let size = b[p++]!
    if (size > 127) {
      size = varint(b, p - 1)
      p = after
    }
    const to = p + size
    if (kind === 'message') writeMessage(out, b, v, p, to, field.plan!)
    else if (kind === 'string') out.string(b, p, to)
    else if (kind === 'id') out.hex(b, p, to)
    else out.ascii(`"${b.toString('base64', p, to)}"`)
    return to
  }
  if (kind === 'double') {
    out.double(v.getFloat64(p, true))
    return p + 8
  }
  if (kind === 'fixed64' || kind === 'sfixed64') {
    out.integer64(v.getInt32(p, true), v.getInt32(p + 4, true), kind === 'sfixed64')
    return p + 8
  }
  if (kind === 'fixed32') {
    out.ascii(String(v.getUint32(p, true)))
    return p + 4
  }
  varint64(b, p)
  p = after
  if (kind === 'int64' || kind === 'uint64') out.integer64(low, high, kind === 'int64')
  else if (kind === 'bool') out.ascii((low | high) === 0 ? 'false' : 'true')
  else if (kind === 'uint32') out.ascii(String(low >>> 0))
  else out.ascii(String(kind === 'sint32' ? (low >>> 1) ^ -(low & 1) : low))
  return p
}
