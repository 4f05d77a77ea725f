import { trust } from './admit.ts'
import { BackWriter } from './back-writer.ts'
import type { Field, FieldKind, MessageType } from './message-type.ts'
import type { Payload } from './payload.ts'
import type { PlainAnyValue, PlainKeyValue, PlainRequests } from './plain.ts'
import { Double, type Value, type ValueMap } from './records.ts'
import { REQUEST } from './tables.ts'
import { validate } from './validate.ts'
import { FIXED32, FIXED64, LENGTH, VARINT } from './wire.ts'

/**
 * The bytes of a request built from plain objects in the shape of OTLP/JSON, written back to front. What is given is
 * written, zero and the empty string included; absent, `undefined` and `null` are left out, and so are names that are
 * not the protocol's.
 *
 * @throws {TypeError} for a value that does not fit its field.
 */
export function encode<S extends keyof PlainRequests>(signal: S, request: PlainRequests[S]): Buffer {
  return encodeMessage(REQUEST[signal], request)
}

/** `encode`, counted and ready to be consumed. */
export function build<S extends keyof PlainRequests>(signal: S, request: PlainRequests[S]): Payload<S> {
  const bytes = encode(signal, request)
  return trust(signal, bytes, validate(signal, bytes).items)
}

/** As `encode`, for any message type. */
export function encodeMessage(type: MessageType, message: object): Buffer {
  const out = new BackWriter()
  writeMessage(out, planOf(type), message as Record<string, unknown>)
  return out.finish()
}

/** Attributes of a plain object, in its order. */
export function plainAttributes(values: Readonly<Record<string, Value | Double>>): PlainKeyValue[] {
  return Object.keys(values).map(key => ({ key, value: plainValue(values[key]!) }))
}

/** A value as OTLP has it: integral numbers are `intValue`, others, and those in a `Double`, `doubleValue`. */
export function plainValue(value: Value | Double): PlainAnyValue {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'number') return Number.isSafeInteger(value) ? { intValue: value } : { doubleValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'bigint') return { intValue: value }
  if (value === null) return {}
  if (value instanceof Double) return { doubleValue: value.value }
  if (value instanceof Uint8Array) return { bytesValue: value }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(plainValue) } }
  return { kvlistValue: { values: plainAttributes(value as ValueMap) } }
}

/** A field in the order of writing, which is from the highest number to the lowest. */
interface PlanField extends Field {
  readonly tag: number
  readonly packed: boolean
  /** Least value of an integer, and the first one above the greatest. */
  readonly range: readonly [number, number]
  readonly plan: readonly PlanField[]
}

const plans = new Map<MessageType, PlanField[]>()

function planOf(type: MessageType): readonly PlanField[] {
  const known = plans.get(type)
  if (known !== undefined) return known
  const plan: PlanField[] = []
  plans.set(type, plan)
  for (const field of type.fields.toSorted((a, b) => b.number - a.number)) {
    const wireType = wireTypeOf(field.kind)
    const packed = field.repeated && wireType !== LENGTH
    const tag = (field.number << 3) | (packed ? LENGTH : wireType)
    const range = RANGES[field.kind] ?? [0, 0]
    plan.push({ ...field, tag, packed, range, plan: field.type === undefined ? [] : planOf(field.type) })
  }
  return plan
}

function wireTypeOf(kind: FieldKind): number {
  if (kind === 'double' || kind === 'fixed64' || kind === 'sfixed64') return FIXED64
  if (kind === 'fixed32') return FIXED32
  return kind === 'message' || kind === 'string' || kind === 'bytes' || kind === 'id' ? LENGTH : VARINT
}

function writeMessage(out: BackWriter, plan: readonly PlanField[], message: Record<string, unknown>): void {
  for (const field of plan) {
    const value = message[field.name]
    if (value === undefined || value === null) continue
    if (!field.repeated) {
      writeValue(out, field, value)
      out.varint(field.tag)
      continue
    }
    if (!Array.isArray(value)) throw unfit(field, value)
    const start = out.mark
    for (let i = value.length - 1; i >= 0; i--) {
      writeValue(out, field, value[i])
      if (!field.packed) out.varint(field.tag)
    }
    if (field.packed && value.length > 0) {
      out.length(start)
      out.varint(field.tag)
    }
  }
}

function writeValue(out: BackWriter, field: PlanField, value: unknown): void {
  const { kind } = field
  const start = out.mark
  if (kind === 'message') {
    if (typeof value !== 'object' || value === null) throw unfit(field, value)
    writeMessage(out, field.plan, value as Record<string, unknown>)
    out.length(start)
  } else if (kind === 'string') {
    if (typeof value !== 'string') throw unfit(field, value)
    out.text(value)
    out.length(start)
  } else if (kind === 'id' || kind === 'bytes') {
    out.bytes(bytesOf(field, value))
    out.length(start)
  } else if (kind === 'double') {
    const number = typeof value === 'string' ? Number(value) : value
    if (typeof number !== 'number') throw unfit(field, value)
    out.double(number)
  } else if (kind === 'bool') {
    if (typeof value !== 'boolean') throw unfit(field, value)
    out.varint(value ? 1 : 0)
  } else writeInteger(out, field, value)
}

function bytesOf(field: Field, value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value
  if (typeof value !== 'string') throw unfit(field, value)
  const bytes = Buffer.from(value, field.kind === 'id' ? 'hex' : 'base64')
  if (field.kind === 'id' && bytes.length * 2 !== value.length) throw unfit(field, value)
  return bytes
}

const RANGES: Partial<Record<FieldKind, readonly [number, number]>> = {
  enum: [-(2 ** 31), 2 ** 31],
  fixed32: [0, 2 ** 32],
  fixed64: [0, 2 ** 64],
  int32: [-(2 ** 31), 2 ** 31],
  int64: [-(2 ** 63), 2 ** 63],
  sfixed64: [-(2 ** 63), 2 ** 63],
  sint32: [-(2 ** 31), 2 ** 31],
  uint32: [0, 2 ** 32],
  uint64: [0, 2 ** 64],
}

const words = new DataView(new ArrayBuffer(8))

function writeInteger(out: BackWriter, field: PlanField, value: unknown): void {
  const { kind, range } = field
  const integer = typeof value === 'string' ? integerOf(value) : value
  let low = 0
  let high = 0
  if (typeof integer === 'bigint') {
    if (integer < range[0] || integer >= range[1]) throw unfit(field, value)
    words.setBigInt64(0, integer)
    low = words.getInt32(4)
    high = words.getInt32(0)
  } else {
    if (typeof integer !== 'number' || !Number.isInteger(integer)) throw unfit(field, value)
    if (integer < range[0] || integer >= range[1]) throw unfit(field, value)
    low = integer | 0
    high = Math.floor(integer / 2 ** 32) | 0
  }
  if (kind === 'fixed64' || kind === 'sfixed64') out.fixed64(low, high)
  else if (kind === 'fixed32') out.fixed32(low)
  else if (kind === 'sint32') out.varint(((low << 1) ^ (low >> 31)) >>> 0)
  else out.varint64(low, high)
}

function integerOf(text: string): number | bigint | undefined {
  if (!/^-?\d+$/.test(text)) return undefined
  return text.length < 16 ? Number(text) : BigInt(text)
}

function unfit(field: Field, value: unknown): TypeError {
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value)
  const kind = `${field.repeated ? 'a list of' : 'of'} kind ${field.kind}`
  return new TypeError(`Cannot encode ${field.name}: ${shown} is not ${kind}`)
}
