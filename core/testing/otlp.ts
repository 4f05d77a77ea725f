import protobuf from 'protobufjs'
import { ITEM_NOUN, type Payload, type Signal } from '#core/data'
import { OTLP_PROTO } from './otlp-proto.ts'
import type { Otlp } from './records.ts'

const ROOT = protobuf.parse(OTLP_PROTO, { keepCase: false }).root
const REQUEST = {
  traces: ROOT.lookupType('TracesData'),
  metrics: ROOT.lookupType('MetricsData'),
  logs: ROOT.lookupType('LogsData'),
  profiles: ROOT.lookupType('ProfilesData'),
} as const satisfies Record<Signal, protobuf.Type>

/** The protobuf bytes of a request: written by protobufjs, so independent of `core/data`. */
export function encodeOtlp(signal: Signal, request: Otlp): Buffer {
  const type = REQUEST[signal]
  const message = type.fromObject(stringBigints(request) as Otlp)
  return Buffer.from(type.encode(message).finish())
}

/** Reads protobuf bytes by protobufjs. 64-bit integers come as strings, bytes as buffers, absent fields stay absent. */
export function decodeOtlp(signal: Signal, bytes: Uint8Array): Otlp {
  const type = REQUEST[signal]
  return type.toObject(type.decode(bytes), { longs: String }) as Otlp
}

/** Reads a payload by protobufjs; see {@link decodeOtlp}. */
export function decodePayload(payload: Payload): Otlp {
  return decodeOtlp(payload.signal, payload.flat())
}

type Lists = { readonly [field: string]: readonly Lists[] | undefined }

/** Spans, data points or log records of a request object. */
export function countItems(signal: Signal, request: Otlp): number {
  const lists = request as Lists
  switch (signal) {
    case 'traces':
      return leaves(lists, ['resourceSpans', 'scopeSpans', 'spans']).length
    case 'logs':
      return leaves(lists, ['resourceLogs', 'scopeLogs', 'logRecords']).length
    case 'metrics':
      return leaves(lists, ['resourceMetrics', 'scopeMetrics', 'metrics'])
        .flatMap(metric => KINDS.map(kind => (metric[kind] as Lists | undefined)?.dataPoints?.length ?? 0))
        .reduce((sum, points) => sum + points, 0)
    case 'profiles':
      throw new Error(`Cannot count ${ITEM_NOUN.profiles} by looking`)
  }
}

const KINDS = ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary']

function leaves(from: Lists, path: readonly string[]): readonly Lists[] {
  return path.reduce<readonly Lists[]>((all, field) => all.flatMap(each => each[field] ?? []), [from])
}

/** protobufjs takes 64-bit integers as strings, not as bigints. */
function stringBigints(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map(stringBigints)
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, stringBigints(each)]))
}
