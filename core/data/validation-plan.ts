import type { Field, FieldKind, MessageType } from './message-type.ts'
import type { Signal } from './signal.ts'
import { ITEMS, REQUEST } from './tables.ts'
import { keyValueMessage } from './tables-common.ts'
import { FIXED32, FIXED64, LENGTH, VARINT } from './wire.ts'

/*
 * What the door does with a field, by its tag. Everything from `ANY_LENGTH` on has a length.
 */
export const UNKNOWN = 0
export const WRONG_WIRE_TYPE = 1
export const ANY_VARINT = 2
export const ANY_FIXED64 = 3
export const ANY_FIXED32 = 4
export const ANY_LENGTH = 5
export const TEXT = 6
export const MESSAGE = 7
export const ITEM = 8
export const KEY_VALUE = 9
export const PACKED_FIXED64 = 10
export const PACKED_VARINT = 11

/** Highest depth of messages within messages, as in the C++ and Java implementations of protobuf. */
export const MAX_DEPTH = 100

/** A message type as the door reads it: by tag, for the tags below 256, which are all that OTLP uses. */
export interface ValidationPlan {
  /** The action for each tag. */
  readonly actions: Uint8Array
  /** One bit for each singular field or group of alternatives, 0 for all other tags. */
  readonly bits: Int32Array
  /** The plan of the message in a field, by field number. */
  readonly nested: ValidationPlan[]
}

const WIRE_TYPE: Record<FieldKind, number> = {
  bool: VARINT,
  bytes: LENGTH,
  double: FIXED64,
  enum: VARINT,
  fixed32: FIXED32,
  fixed64: FIXED64,
  id: LENGTH,
  int32: VARINT,
  int64: VARINT,
  message: LENGTH,
  sfixed64: FIXED64,
  sint32: VARINT,
  string: LENGTH,
  uint32: VARINT,
  uint64: VARINT,
}

const ACTION_OF_WIRE_TYPE = {
  [VARINT]: ANY_VARINT,
  [FIXED64]: ANY_FIXED64,
  [FIXED32]: ANY_FIXED32,
  [LENGTH]: ANY_LENGTH,
}

const plans = new Map<MessageType, ValidationPlan>()

/** The plan of a message type, made at the first call. */
export function validationPlan(type: MessageType): ValidationPlan {
  const known = plans.get(type)
  if (known !== undefined) return known
  const actions = new Uint8Array(256)
  const bits = new Int32Array(256)
  const nested: ValidationPlan[] = []
  const plan: ValidationPlan = { actions, bits, nested }
  plans.set(type, plan)
  actions.fill(WRONG_WIRE_TYPE, 0, 8)
  for (const field of type.fields) {
    const first = field.number << 3
    const wireType = WIRE_TYPE[field.kind]
    actions.fill(WRONG_WIRE_TYPE, first, first + 8)
    actions[first | wireType] = actionOf(field)
    if (field.repeated && wireType === FIXED64) actions[first | LENGTH] = PACKED_FIXED64
    if (field.repeated && wireType === VARINT) actions[first | LENGTH] = PACKED_VARINT
  }
  let bit = 1
  const groups = new Map<string, number>()
  for (const field of type.fields) {
    if (field.repeated) continue
    const own = field.oneof === undefined ? bit : (groups.get(field.oneof) ?? bit)
    if (field.oneof !== undefined) groups.set(field.oneof, own)
    bits[(field.number << 3) | WIRE_TYPE[field.kind]] = own
    if (own === bit) bit <<= 1
  }
  // A field without a message refers to this plan itself, so that all elements have one shape and none is absent.
  for (let number = 0; number < 32; number++) nested.push(plan)
  for (const field of type.fields) if (field.type !== undefined) nested[field.number] = validationPlan(field.type)
  return plan
}

function actionOf({ kind, type }: Field): number {
  if (kind === 'string') return TEXT
  if (type === keyValueMessage) return KEY_VALUE
  if (type !== undefined) return ITEMS.has(type) ? ITEM : MESSAGE
  return ACTION_OF_WIRE_TYPE[WIRE_TYPE[kind] as keyof typeof ACTION_OF_WIRE_TYPE]
}

/** The plan of the request of each signal. */
export const PLANS: Readonly<Record<Signal, ValidationPlan>> = {
  traces: validationPlan(REQUEST.traces),
  metrics: validationPlan(REQUEST.metrics),
  logs: validationPlan(REQUEST.logs),
  profiles: validationPlan(REQUEST.profiles),
}
