import { build, Chunk, Payload, type PlainRequests, type Signal } from '#core/data'

/** An OTLP request as a plain object: camelCase names, ids as bytes or hex, 64-bit integers as strings, numbers or bigints. */
export type Otlp = { [field: string]: unknown }

/** A payload of one chunk from a request object. */
export function payloadOf<S extends keyof PlainRequests>(signal: S, request: Otlp): Payload<S> {
  return build(signal, request as PlainRequests[S])
}

/** Attributes as a test writes them. Integral numbers become int, others double. */
export type PlainAttributes = { readonly [key: string]: PlainValue }
export type PlainValue =
  | string
  | number
  | bigint
  | boolean
  | Uint8Array
  | null
  | readonly PlainValue[]
  | PlainAttributes

/** Resource and scope around the records of a builder. */
export interface Around {
  readonly resource?: PlainAttributes
  readonly scope?: string
  readonly scopeVersion?: string
  readonly resourceSchemaUrl?: string
  readonly scopeSchemaUrl?: string
}

/** 2026-01-01T00:00:00Z in nanoseconds: when everything in the builders happens. */
export const EPOCH = 1_767_225_600_000_000_000n

/** An OTLP KeyValue list. */
export function keyValues(attributes: PlainAttributes): Otlp[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }))
}

/** An OTLP AnyValue. */
export function anyValue(value: PlainValue): Otlp {
  if (value === null) return {}
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'bigint') return { intValue: value }
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: value } : { doubleValue: value }
  if (value instanceof Uint8Array) return { bytesValue: value }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } }
  return { kvlistValue: { values: keyValues(value as PlainAttributes) } }
}

/** One span as a request object; `over` replaces fields, `attributes` may be plain. */
export function aSpan(over: Otlp & { attributes?: PlainAttributes | Otlp[] } = {}, n = 0): Otlp {
  return {
    traceId: idOf(16, n),
    spanId: idOf(8, n),
    name: `span ${n}`,
    kind: 2,
    startTimeUnixNano: EPOCH + BigInt(n) * 1_000_000n,
    endTimeUnixNano: EPOCH + BigInt(n) * 1_000_000n + 250_000n,
    status: {},
    ...over,
    attributes: plain(over.attributes ?? { n }),
  }
}

/** One log record as a request object; `body` and `attributes` may be plain. */
export function aLog(
  over: Otlp & { attributes?: PlainAttributes | Otlp[]; body?: PlainValue | Otlp } = {},
  n = 0,
): Otlp {
  const { body = `log ${n}` } = over
  return {
    timeUnixNano: EPOCH + BigInt(n) * 1_000_000n,
    observedTimeUnixNano: EPOCH + BigInt(n) * 1_000_000n,
    severityNumber: 9,
    severityText: 'INFO',
    ...over,
    body: isAnyValue(body) ? body : anyValue(body as PlainValue),
    attributes: plain(over.attributes ?? { n }),
  }
}

/** One data point as a request object, of a gauge or sum unless `over` says otherwise. */
export function aPoint(over: Otlp & { attributes?: PlainAttributes | Otlp[] } = {}, n = 0): Otlp {
  return {
    startTimeUnixNano: EPOCH,
    timeUnixNano: EPOCH + BigInt(n) * 1_000_000n,
    asInt: n,
    ...over,
    attributes: plain(over.attributes ?? { n }),
  }
}

/** A request with these spans under one resource and scope. */
export function tracesOf(spans: readonly Otlp[], around: Around = {}): Otlp {
  return { resourceSpans: [{ ...resource(around), scopeSpans: [{ ...scope(around), spans }] }] }
}
/** A request with these log records under one resource and scope. */
export function logsOf(logRecords: readonly Otlp[], around: Around = {}): Otlp {
  return { resourceLogs: [{ ...resource(around), scopeLogs: [{ ...scope(around), logRecords }] }] }
}
/** A request with these metrics under one resource and scope. */
export function metricsOf(metrics: readonly Otlp[], around: Around = {}): Otlp {
  return { resourceMetrics: [{ ...resource(around), scopeMetrics: [{ ...scope(around), metrics }] }] }
}

/** `n` spans with attribute `n` from 0 up. */
export function traces(n = 1, around: Around = {}): Payload<'traces'> {
  return payloadOf(
    'traces',
    tracesOf(
      times(n, i => aSpan({}, i)),
      around,
    ),
  )
}
/** `n` log records with attribute `n` from 0 up. */
export function logs(n = 1, around: Around = {}): Payload<'logs'> {
  return payloadOf(
    'logs',
    logsOf(
      times(n, i => aLog({}, i)),
      around,
    ),
  )
}
/** `n` data points of one cumulative sum, with attribute `n` from 0 up. */
export function metrics(n = 1, around: Around = {}): Payload<'metrics'> {
  const sum = { aggregationTemporality: 2, isMonotonic: true, dataPoints: times(n, i => aPoint({}, i)) }
  return payloadOf(
    'metrics',
    metricsOf([{ name: 'requests', unit: '{request}', description: 'Requests', sum }], around),
  )
}

/** Something of any signal: one record, or an opaque entry of profiles. */
export function payloadFor(signal: Signal): Payload {
  if (signal === 'profiles') return new Payload('profiles', [new Chunk([Buffer.from([0x0a, 0x00])], 0)])
  return { traces, metrics, logs }[signal](1)
}

/** An id of `size` bytes, different for each `n`, never all zero. */
export function idOf(size: number, n: number): Buffer {
  const id = Buffer.alloc(size, 0x11)
  id.writeUInt32BE(n, size - 4)
  return id
}

function resource(around: Around): Otlp {
  const attributes = keyValues(around.resource ?? { 'service.name': 'test' })
  return { resource: { attributes }, ...(around.resourceSchemaUrl ? { schemaUrl: around.resourceSchemaUrl } : {}) }
}

function scope(around: Around): Otlp {
  const { scope: name = 'test', scopeVersion: version = '1.0.0', scopeSchemaUrl: schemaUrl } = around
  return { scope: { name, version }, ...(schemaUrl ? { schemaUrl } : {}) }
}

function plain(attributes: PlainAttributes | Otlp[]): Otlp[] {
  return Array.isArray(attributes) ? attributes : keyValues(attributes as PlainAttributes)
}

function isAnyValue(body: unknown): body is Otlp {
  return body !== null && typeof body === 'object' && Object.keys(body).every(key => key.endsWith('Value'))
}

function times<T>(n: number, make: (i: number) => T): T[] {
  return Array.from({ length: n }, (_, i) => make(i))
}
