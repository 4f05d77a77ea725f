import type { FieldKind, MessageType } from './message-type.ts'
import { FIXED32, FIXED64, LENGTH, VARINT } from './wire.ts'

/** A message type as the JSON reader needs it: by name. */
export interface JsonPlan {
  readonly name: string
  /** Fields by `nameHash`, several of which may share a slot. */
  readonly slots: (JsonField | null)[]
  /** Bytes to reserve for the length of the message. */
  readonly width: number
  /** The field expected first. */
  first: JsonField | null
}

export interface JsonField {
  /** ASCII. */
  readonly name: Buffer
  readonly kind: FieldKind
  readonly repeated: boolean
  /** Whether the elements are written as one field. */
  readonly packed: boolean
  readonly tag: number
  readonly plan: JsonPlan | null
  /** Another field in the same slot. */
  readonly sibling: JsonField | null
  /** The field that followed this one last time: senders repeat themselves. */
  follower: JsonField | null
}

/** Slot of a name of `size` bytes with the given first and last byte. */
export function nameHash(size: number, first: number, last: number): number {
  return (size * 5 + first * 3 + last) & 63
}

/** Messages whose length usually takes more than one byte. */
const WIDTHS: Readonly<Record<string, number>> = {
  ResourceSpans: 3,
  ResourceMetrics: 3,
  ResourceLogs: 3,
  ScopeSpans: 3,
  ScopeMetrics: 3,
  ScopeLogs: 3,
  Metric: 2,
  Gauge: 2,
  Sum: 2,
  Histogram: 2,
  ExponentialHistogram: 2,
  Summary: 2,
  Span: 2,
  LogRecord: 2,
  NumberDataPoint: 2,
  HistogramDataPoint: 2,
  ExponentialHistogramDataPoint: 2,
  SummaryDataPoint: 2,
}

const WIRE_TYPE: Partial<Record<FieldKind, number>> = {
  double: FIXED64,
  fixed32: FIXED32,
  fixed64: FIXED64,
  sfixed64: FIXED64,
  bytes: LENGTH,
  id: LENGTH,
  message: LENGTH,
  string: LENGTH,
}

const plans = new Map<MessageType, JsonPlan>()

/** The plan of a message type, made at the first call. */
export function jsonPlan(type: MessageType): JsonPlan {
  const known = plans.get(type)
  if (known !== undefined) return known
  const slots: (JsonField | null)[] = new Array(64).fill(null)
  const plan: JsonPlan = { name: type.name, slots, width: WIDTHS[type.name] ?? 1, first: null }
  plans.set(type, plan)
  for (const { number, name, kind, type: nested, repeated } of type.fields) {
    const wireType = WIRE_TYPE[kind] ?? VARINT
    const packed = repeated && wireType !== LENGTH
    const bytes = Buffer.from(name)
    const slot = nameHash(bytes.length, bytes[0]!, bytes[bytes.length - 1]!)
    const field: JsonField = {
      name: bytes,
      kind,
      repeated,
      packed,
      tag: (number << 3) | (packed ? LENGTH : wireType),
      plan: nested === undefined ? null : jsonPlan(nested),
      sibling: slots[slot]!,
      follower: null,
    }
    slots[slot] = field
    plan.first ??= field
  }
  return plan
}
