import { signedDecimal, unsignedDecimal } from './decimal.ts'
import type { Field, FieldKind, MessageType } from './message-type.ts'
import type { Payload } from './payload.ts'
import { REQUEST } from './tables.ts'
import { after, FIXED32, FIXED64, high, LENGTH, low, skip, text, VARINT, varint, varint64, viewOf } from './wire.ts'

/**
 * The payload as OTLP/JSON text (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding): one request message
 * in one line, with the fields that are on the wire. Ids are lower-case hex, 64-bit integers decimal strings, enums
 * numbers, other bytes base64; `NaN`, `Infinity` and `-Infinity` are strings. Unknown fields are left out.
 *
 * @throws {RangeError} for profiles, whose messages are not known.
 */
export function toJson(payload: Payload): string {
  if (payload.signal === 'profiles') throw new RangeError('Cannot write profiles as JSON: their messages are not known')
  const [entries] = REQUEST[payload.signal].fields
  const plan = planOf(entries!.type!)
  let list = ''
  for (const chunk of payload.chunks) {
    const b = chunk.flat()
    const v = viewOf(b)
    for (let p = 0; p < b.length; ) {
      const tag = varint(b, p)
      p = after
      const next = skip(b, p, b.length, tag & 7)
      if (tag === ((entries!.number << 3) | LENGTH)) {
        varint(b, p)
        const entry = message(b, v, after, next, plan)
        list += list === '' ? entry : `,${entry}`
      }
      p = next
    }
  }
  return `{"${entries!.name}":[${list}]}`
}

/** The JSON of one message of any type, by the same rules. */
export function messageToJson(type: MessageType, b: Buffer): string {
  return message(b, viewOf(b), 0, b.length, planOf(type))
}

/** A message type as the writer reads it: by tag, for the tags below 256. */
interface Plan {
  readonly fields: (Writable | null)[]
  /** Labels of the repeated fields, in the order in which they are written. */
  readonly lists: string[]
}

interface Writable {
  /** `"name":` */
  readonly label: string
  readonly kind: FieldKind
  /** Index of a repeated field in `lists`, or -1. */
  readonly list: number
  readonly packed: boolean
  plan: Plan | null
}

const plans = new Map<MessageType, Plan>()

function planOf(type: MessageType): Plan {
  const known = plans.get(type)
  if (known !== undefined) return known
  const plan: Plan = { fields: new Array(256).fill(null), lists: [] }
  plans.set(type, plan)
  for (const field of type.fields) {
    const label = `"${field.name}":`
    const list = field.repeated ? plan.lists.push(label) - 1 : -1
    const wireType = wireTypeOf(field)
    const writable: Writable = { label, kind: field.kind, list, packed: false, plan: null }
    plan.fields[(field.number << 3) | wireType] = writable
    if (field.repeated && wireType !== LENGTH) plan.fields[(field.number << 3) | LENGTH] = { ...writable, packed: true }
    if (field.type !== undefined) writable.plan = planOf(field.type)
  }
  return plan
}

function wireTypeOf({ kind }: Field): number {
  if (kind === 'double' || kind === 'fixed64' || kind === 'sfixed64') return FIXED64
  if (kind === 'fixed32') return FIXED32
  return kind === 'message' || kind === 'string' || kind === 'bytes' || kind === 'id' ? LENGTH : VARINT
}

function message(b: Buffer, v: DataView, p: number, end: number, plan: Plan): string {
  const fields = plan.fields
  let out = '{'
  // A repeated field may come in several runs; each list is put together apart and written at the end.
  let lists: string[] | undefined
  while (p < end) {
    let tag = b[p++]!
    if (tag > 127) {
      tag = varint(b, p - 1)
      p = after
    }
    const field = tag < 256 ? fields[tag]! : null
    if (field === null) {
      p = skip(b, p, end, tag & 7)
      continue
    }
    let to = end
    if ((tag & 7) === LENGTH) {
      let size = b[p++]!
      if (size > 127) {
        size = varint(b, p - 1)
        p = after
      }
      to = p + size
    }
    if (field.list >= 0) {
      lists ??= new Array(plan.lists.length).fill('')
      const values = field.packed ? packed(b, v, p, to, field) : value(b, v, p, to, field)
      if (field.packed && to === p) next = to
      else lists[field.list] += lists[field.list] === '' ? values : `,${values}`
    } else {
      const written = field.label + value(b, v, p, to, field)
      out += out.length === 1 ? written : `,${written}`
    }
    p = next
  }
  if (lists !== undefined) {
    for (let i = 0; i < lists.length; i++) {
      if (lists[i] !== '') out += `${out.length === 1 ? '' : ','}${plan.lists[i]!}[${lists[i]!}]`
    }
  }
  return `${out}}`
}

function packed(b: Buffer, v: DataView, p: number, end: number, field: Writable): string {
  let out = ''
  for (; p < end; p = next) {
    const each = value(b, v, p, end, field)
    out += out === '' ? each : `,${each}`
  }
  return out
}

/** Register: the position behind the value written last. */
let next = 0

/** The value at `p` as JSON. `to` is the end of what has a length. */
function value(b: Buffer, v: DataView, p: number, to: number, { kind, plan }: Writable): string {
  next = to
  switch (kind) {
    case 'message': {
      const written = message(b, v, p, to, plan!)
      next = to
      return written
    }
    case 'string':
      return quoted(b, p, to)
    case 'id':
      return `"${b.toString('hex', p, to)}"`
    case 'bytes':
      return `"${b.toString('base64', p, to)}"`
    case 'double':
      next = p + 8
      return double(v.getFloat64(p, true))
    case 'fixed64':
      next = p + 8
      return `"${unsignedDecimal(v.getInt32(p, true), v.getInt32(p + 4, true))}"`
    case 'sfixed64':
      next = p + 8
      return `"${signedDecimal(v.getInt32(p, true), v.getInt32(p + 4, true))}"`
    case 'fixed32':
      next = p + 4
      return String(v.getUint32(p, true))
    default:
      varint64(b, p)
      next = after
      return integer(kind)
  }
}

/** The varint in the registers `low` and `high`. */
function integer(kind: FieldKind): string {
  if (kind === 'int64') return `"${signedDecimal(low, high)}"`
  if (kind === 'uint64') return `"${unsignedDecimal(low, high)}"`
  if (kind === 'bool') return (low | high) === 0 ? 'false' : 'true'
  if (kind === 'uint32') return String(low >>> 0)
  return String(kind === 'sint32' ? (low >>> 1) ^ -(low & 1) : low)
}

function double(n: number): string {
  if (n === 0) return Object.is(n, -0) ? '-0' : '0'
  return Number.isFinite(n) ? String(n) : `"${n}"`
}

/** 1 for the bytes that a JSON string cannot hold as they are. */
const ESCAPED = new Uint8Array(256).fill(1, 0, 32)
ESCAPED[34] = 1
ESCAPED[92] = 1

function quoted(b: Buffer, from: number, to: number): string {
  for (let p = from; p < to; p++) if (ESCAPED[b[p]!] === 1) return JSON.stringify(b.toString('utf8', from, to))
  return `"${text(b, from, to)}"`
}
