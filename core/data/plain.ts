/*
 * Telemetry as plain objects in the shape of OTLP/JSON: what `encode` takes. Absent, `undefined` and `null` are the same.
 */

/** 64 bits: a decimal string or `bigint` where a `number` is not exact. */
export type PlainInteger = number | bigint | string
/** Bytes, or their hex. */
export type PlainId = Uint8Array | string

export interface PlainAnyValue {
  readonly stringValue?: string
  readonly boolValue?: boolean
  readonly intValue?: PlainInteger
  readonly doubleValue?: number
  readonly arrayValue?: { readonly values?: readonly PlainAnyValue[] }
  readonly kvlistValue?: { readonly values?: readonly PlainKeyValue[] }
  /** Bytes, or their base64. */
  readonly bytesValue?: Uint8Array | string
}

export interface PlainKeyValue {
  readonly key: string
  readonly value?: PlainAnyValue
}

export interface PlainScope {
  readonly name?: string
  readonly version?: string
  readonly attributes?: readonly PlainKeyValue[]
  readonly droppedAttributesCount?: number
}

export interface PlainEntityRef {
  readonly schemaUrl?: string
  readonly type?: string
  readonly idKeys?: readonly string[]
  readonly descriptionKeys?: readonly string[]
}

export interface PlainResource {
  readonly attributes?: readonly PlainKeyValue[]
  readonly droppedAttributesCount?: number
  readonly entityRefs?: readonly PlainEntityRef[]
}

export interface PlainSpanEvent {
  readonly timeUnixNano?: PlainInteger
  readonly name?: string
  readonly attributes?: readonly PlainKeyValue[]
  readonly droppedAttributesCount?: number
}

export interface PlainSpanLink {
  readonly traceId?: PlainId
  readonly spanId?: PlainId
  readonly traceState?: string
  readonly attributes?: readonly PlainKeyValue[]
  readonly droppedAttributesCount?: number
  readonly flags?: number
}

export interface PlainSpan {
  readonly traceId?: PlainId
  readonly spanId?: PlainId
  readonly traceState?: string
  readonly parentSpanId?: PlainId
  readonly flags?: number
  readonly name?: string
  readonly kind?: number
  readonly startTimeUnixNano?: PlainInteger
  readonly endTimeUnixNano?: PlainInteger
  readonly attributes?: readonly PlainKeyValue[]
  readonly droppedAttributesCount?: number
  readonly events?: readonly PlainSpanEvent[]
  readonly droppedEventsCount?: number
  readonly links?: readonly PlainSpanLink[]
  readonly droppedLinksCount?: number
  readonly status?: { readonly message?: string; readonly code?: number }
}

export interface PlainLogRecord {
  readonly timeUnixNano?: PlainInteger
  readonly observedTimeUnixNano?: PlainInteger
  readonly severityNumber?: number
  readonly severityText?: string
  readonly body?: PlainAnyValue
  readonly attributes?: readonly PlainKeyValue[]
  readonly droppedAttributesCount?: number
  readonly flags?: number
  readonly traceId?: PlainId
  readonly spanId?: PlainId
  readonly eventName?: string
}

export interface PlainExemplar {
  readonly filteredAttributes?: readonly PlainKeyValue[]
  readonly timeUnixNano?: PlainInteger
  readonly asDouble?: number
  readonly asInt?: PlainInteger
  readonly spanId?: PlainId
  readonly traceId?: PlainId
}

interface PlainPoint {
  readonly attributes?: readonly PlainKeyValue[]
  readonly startTimeUnixNano?: PlainInteger
  readonly timeUnixNano?: PlainInteger
  readonly flags?: number
}

export interface PlainNumberDataPoint extends PlainPoint {
  readonly asDouble?: number
  readonly asInt?: PlainInteger
  readonly exemplars?: readonly PlainExemplar[]
}

export interface PlainHistogramDataPoint extends PlainPoint {
  readonly count?: PlainInteger
  readonly sum?: number
  readonly bucketCounts?: readonly PlainInteger[]
  readonly explicitBounds?: readonly number[]
  readonly exemplars?: readonly PlainExemplar[]
  readonly min?: number
  readonly max?: number
}

export interface PlainBuckets {
  readonly offset?: number
  readonly bucketCounts?: readonly PlainInteger[]
}

export interface PlainExponentialHistogramDataPoint extends PlainPoint {
  readonly count?: PlainInteger
  readonly sum?: number
  readonly scale?: number
  readonly zeroCount?: PlainInteger
  readonly positive?: PlainBuckets
  readonly negative?: PlainBuckets
  readonly exemplars?: readonly PlainExemplar[]
  readonly min?: number
  readonly max?: number
  readonly zeroThreshold?: number
}

export interface PlainSummaryDataPoint extends PlainPoint {
  readonly count?: PlainInteger
  readonly sum?: number
  readonly quantileValues?: readonly { readonly quantile?: number; readonly value?: number }[]
}

/** One of the five kinds of data, as in the protocol. */
export interface PlainMetric {
  readonly name?: string
  readonly description?: string
  readonly unit?: string
  readonly gauge?: { readonly dataPoints?: readonly PlainNumberDataPoint[] }
  readonly sum?: {
    readonly dataPoints?: readonly PlainNumberDataPoint[]
    readonly aggregationTemporality?: number
    readonly isMonotonic?: boolean
  }
  readonly histogram?: {
    readonly dataPoints?: readonly PlainHistogramDataPoint[]
    readonly aggregationTemporality?: number
  }
  readonly exponentialHistogram?: {
    readonly dataPoints?: readonly PlainExponentialHistogramDataPoint[]
    readonly aggregationTemporality?: number
  }
  readonly summary?: { readonly dataPoints?: readonly PlainSummaryDataPoint[] }
  readonly metadata?: readonly PlainKeyValue[]
}

interface PlainScopeEntry {
  readonly scope?: PlainScope
  readonly schemaUrl?: string
}

interface PlainResourceEntry {
  readonly resource?: PlainResource
  readonly schemaUrl?: string
}

/** The request of each signal. */
export interface PlainRequests {
  traces: {
    readonly resourceSpans?: readonly (PlainResourceEntry & {
      readonly scopeSpans?: readonly (PlainScopeEntry & { readonly spans?: readonly PlainSpan[] })[]
    })[]
  }
  metrics: {
    readonly resourceMetrics?: readonly (PlainResourceEntry & {
      readonly scopeMetrics?: readonly (PlainScopeEntry & { readonly metrics?: readonly PlainMetric[] })[]
    })[]
  }
  logs: {
    readonly resourceLogs?: readonly (PlainResourceEntry & {
      readonly scopeLogs?: readonly (PlainScopeEntry & { readonly logRecords?: readonly PlainLogRecord[] })[]
    })[]
  }
}
