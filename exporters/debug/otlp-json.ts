/**
 * OTLP/JSON as `toJson` of `#core/data` writes it: lowerCamelCase names, ids in hex, bytes in base64, 64-bit integers as
 * decimal strings, enums as numbers, fields with their default value left out. All of a message is here, also what no
 * view offers (dropped counts, entity references), so the texts are printed from it.
 * Source: opentelemetry-proto, docs/specification.md, "JSON Protobuf Encoding".
 * @module
 */

export interface AnyValueJson {
  readonly stringValue?: string
  readonly boolValue?: boolean
  readonly intValue?: string
  readonly doubleValue?: DoubleJson
  readonly arrayValue?: { readonly values?: readonly AnyValueJson[] }
  readonly kvlistValue?: { readonly values?: readonly KeyValueJson[] }
  readonly bytesValue?: string
}
export interface KeyValueJson {
  readonly key?: string
  readonly value?: AnyValueJson
}
export type AttributesJson = readonly KeyValueJson[] | undefined
/** A number, or `NaN`, `Infinity`, `-Infinity`. */
export type DoubleJson = number | string

export interface EntityRefJson {
  readonly schemaUrl?: string
  readonly type?: string
  readonly idKeys?: readonly string[]
  readonly descriptionKeys?: readonly string[]
}
export interface ResourceJson {
  readonly resource?: { readonly attributes?: AttributesJson; readonly entityRefs?: readonly EntityRefJson[] }
  readonly schemaUrl?: string
}
export interface ScopeJson {
  readonly scope?: { readonly name?: string; readonly version?: string; readonly attributes?: AttributesJson }
  readonly schemaUrl?: string
}

export interface TracesJson {
  readonly resourceSpans?: readonly (ResourceJson & {
    readonly scopeSpans?: readonly (ScopeJson & { readonly spans?: readonly SpanJson[] })[]
  })[]
}
export interface SpanJson {
  readonly traceId?: string
  readonly spanId?: string
  readonly traceState?: string
  readonly parentSpanId?: string
  readonly name?: string
  readonly kind?: number
  readonly startTimeUnixNano?: string
  readonly endTimeUnixNano?: string
  readonly attributes?: AttributesJson
  readonly droppedAttributesCount?: number
  readonly events?: readonly SpanEventJson[]
  readonly droppedEventsCount?: number
  readonly links?: readonly SpanLinkJson[]
  readonly droppedLinksCount?: number
  readonly status?: { readonly code?: number; readonly message?: string }
}
export interface SpanEventJson {
  readonly timeUnixNano?: string
  readonly name?: string
  readonly attributes?: AttributesJson
  readonly droppedAttributesCount?: number
}
export interface SpanLinkJson {
  readonly traceId?: string
  readonly spanId?: string
  readonly traceState?: string
  readonly attributes?: AttributesJson
  readonly droppedAttributesCount?: number
}

export interface LogsJson {
  readonly resourceLogs?: readonly (ResourceJson & {
    readonly scopeLogs?: readonly (ScopeJson & { readonly logRecords?: readonly LogRecordJson[] })[]
  })[]
}
export interface LogRecordJson {
  readonly timeUnixNano?: string
  readonly observedTimeUnixNano?: string
  readonly severityNumber?: number
  readonly severityText?: string
  readonly body?: AnyValueJson
  readonly attributes?: AttributesJson
  readonly flags?: number
  readonly traceId?: string
  readonly spanId?: string
  readonly eventName?: string
}

export interface MetricsJson {
  readonly resourceMetrics?: readonly (ResourceJson & {
    readonly scopeMetrics?: readonly (ScopeJson & { readonly metrics?: readonly MetricJson[] })[]
  })[]
}
export interface MetricJson {
  readonly name?: string
  readonly description?: string
  readonly unit?: string
  readonly metadata?: AttributesJson
  readonly gauge?: { readonly dataPoints?: readonly NumberPointJson[] }
  readonly sum?: {
    readonly dataPoints?: readonly NumberPointJson[]
    readonly aggregationTemporality?: number
    readonly isMonotonic?: boolean
  }
  readonly histogram?: { readonly dataPoints?: readonly HistogramPointJson[]; readonly aggregationTemporality?: number }
  readonly exponentialHistogram?: {
    readonly dataPoints?: readonly ExponentialPointJson[]
    readonly aggregationTemporality?: number
  }
  readonly summary?: { readonly dataPoints?: readonly SummaryPointJson[] }
}
interface PointJson {
  readonly attributes?: AttributesJson
  readonly startTimeUnixNano?: string
  readonly timeUnixNano?: string
  readonly exemplars?: readonly ExemplarJson[]
}
export interface NumberPointJson extends PointJson {
  readonly asDouble?: DoubleJson
  readonly asInt?: string
}
interface DistributionJson extends PointJson {
  readonly count?: string
  readonly sum?: DoubleJson
  readonly min?: DoubleJson
  readonly max?: DoubleJson
}
export interface HistogramPointJson extends DistributionJson {
  readonly bucketCounts?: readonly string[]
  readonly explicitBounds?: readonly DoubleJson[]
}
export interface ExponentialPointJson extends DistributionJson {
  readonly scale?: number
  readonly zeroCount?: string
  readonly positive?: BucketsJson
  readonly negative?: BucketsJson
}
export interface BucketsJson {
  readonly offset?: number
  readonly bucketCounts?: readonly string[]
}
export interface SummaryPointJson extends PointJson {
  readonly count?: string
  readonly sum?: DoubleJson
  readonly quantileValues?: readonly { readonly quantile?: DoubleJson; readonly value?: DoubleJson }[]
}
export interface ExemplarJson {
  readonly timeUnixNano?: string
  readonly asDouble?: DoubleJson
  readonly asInt?: string
  readonly traceId?: string
  readonly spanId?: string
  readonly filteredAttributes?: AttributesJson
}
