import { toJson } from './json-out.ts'
import type { Payload } from './payload.ts'
import type { PlainAnyValue, PlainKeyValue } from './plain.ts'

/** A value as JavaScript has it; integers beyond 2^53 are bigints, bytes are base64. */
export type FlatValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly FlatValue[]
  | { readonly [key: string]: FlatValue }
export type FlatAttributes = { readonly [key: string]: FlatValue }

/**
 * A span, data point or log record: its fields as in OTLP/JSON (ids in hex, times as decimal strings), attributes as an
 * object, a log record's body as a value.
 */
export interface FlatRecord {
  readonly attributes: FlatAttributes
  readonly resource: FlatAttributes
  readonly scope: { readonly name: string; readonly version: string; readonly attributes: FlatAttributes }
  /** Of data points. */
  readonly metric?: {
    readonly name: string
    readonly unit: string
    readonly description: string
    readonly kind: string
  }
  readonly [field: string]: unknown
}

type Tree = { readonly [field: string]: unknown }

/**
 * Every record of a payload on its own, for programs and tests that look at telemetry once it has arrived.
 * @throws {RangeError} for profiles, whose messages are not known
 */
export function flatRecords(payload: Payload): FlatRecord[] {
  const request = JSON.parse(toJson(payload)) as Tree
  const { entries, scopes, records } = FIELDS[payload.signal as keyof typeof FIELDS]
  return list(request[entries]).flatMap(entry =>
    list(entry[scopes]).flatMap(within => {
      const around = { resource: attributesOf(entry.resource), scope: scopeOf(within.scope) }
      return list(within[records]).flatMap(record =>
        payload.signal === 'metrics' ? dataPoints(record, around) : [{ ...flat(record), ...around }],
      )
    }),
  )
}

const FIELDS = {
  traces: { entries: 'resourceSpans', scopes: 'scopeSpans', records: 'spans' },
  metrics: { entries: 'resourceMetrics', scopes: 'scopeMetrics', records: 'metrics' },
  logs: { entries: 'resourceLogs', scopes: 'scopeLogs', records: 'logRecords' },
} as const

const METRIC_KINDS = ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary']

function dataPoints(metric: Tree, around: Pick<FlatRecord, 'resource' | 'scope'>): FlatRecord[] {
  const text = (field: string) => String(metric[field] ?? '')
  return METRIC_KINDS.filter(kind => kind in metric).flatMap(kind =>
    list((metric[kind] as Tree).dataPoints).map(point => ({
      ...flat(point),
      ...around,
      metric: { name: text('name'), unit: text('unit'), description: text('description'), kind },
    })),
  )
}

function flat(record: Tree): Tree & Pick<FlatRecord, 'attributes'> {
  return {
    ...record,
    ...(record.body === undefined ? {} : { body: plainOf(record.body as PlainAnyValue) }),
    ...(record.events === undefined ? {} : { events: list(record.events).map(flat) }),
    ...(record.links === undefined ? {} : { links: list(record.links).map(flat) }),
    attributes: attributesOf(record),
  }
}

function scopeOf(scope: unknown): FlatRecord['scope'] {
  const { name = '', version = '' } = (scope ?? {}) as { readonly name?: string; readonly version?: string }
  return { name, version, attributes: attributesOf(scope) }
}

function attributesOf(holder: unknown): FlatAttributes {
  return pairs((holder as { readonly attributes?: readonly PlainKeyValue[] } | undefined)?.attributes)
}

function pairs(values: readonly PlainKeyValue[] = []): FlatAttributes {
  return Object.fromEntries(values.map(({ key, value }) => [key, plainOf(value ?? {})]))
}

function plainOf(value: PlainAnyValue): FlatValue {
  if (value.stringValue !== undefined) return value.stringValue
  if (value.boolValue !== undefined) return value.boolValue
  if (value.intValue !== undefined) return integerOf(String(value.intValue))
  if (value.doubleValue !== undefined) return Number(value.doubleValue)
  if (value.arrayValue !== undefined) return (value.arrayValue.values ?? []).map(plainOf)
  if (value.kvlistValue !== undefined) return pairs(value.kvlistValue.values)
  return (value.bytesValue as string | undefined) ?? null
}

function integerOf(text: string): number | bigint {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}

function list(value: unknown): readonly Tree[] {
  return (value ?? []) as readonly Tree[]
}
