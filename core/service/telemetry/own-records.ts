import type { Labels } from '#core/component'
import {
  encode,
  type PlainAnyValue,
  type PlainHistogramDataPoint,
  type PlainKeyValue,
  type PlainLogRecord,
  type PlainMetric,
  type PlainNumberDataPoint,
} from '#core/data'
import { describe, type LogEntry } from './log-line.ts'
import type { Family } from './metric-store.ts'
import type { MetricSource } from './temporality.ts'

/** The instrumentation scope of everything the collector tells about itself, its spans apart. */
export const OWN_SCOPE = { name: 'millrace' }
const SEVERITY = { debug: 5, info: 9, warn: 13, error: 17 } as const
const TEMPORALITY = { delta: 1, cumulative: 2 } as const

/** A request of own logs with the collector's resource. */
export function encodeLogs(resource: Labels, logRecords: readonly PlainLogRecord[]): Buffer {
  const own = { attributes: attributesOf(resource) }
  return encode('logs', { resourceLogs: [{ resource: own, scopeLogs: [{ scope: OWN_SCOPE, logRecords }] }] })
}

/** A request of own metrics with the collector's resource. */
export function encodeMetrics(resource: Labels, metrics: readonly PlainMetric[]): Buffer {
  const own = { attributes: attributesOf(resource) }
  return encode('metrics', { resourceMetrics: [{ resource: own, scopeMetrics: [{ scope: OWN_SCOPE, metrics }] }] })
}

/** A printed line as a log record. */
export function logRecord(entry: LogEntry): PlainLogRecord {
  const { resource: _, ...fields } = entry.fields
  return {
    timeUnixNano: nanos(entry.time),
    observedTimeUnixNano: nanos(entry.time),
    severityNumber: SEVERITY[entry.level],
    severityText: entry.level,
    body: { stringValue: entry.message },
    attributes: attributesOf(fields),
  }
}

/** All own metrics as they stand at `now` (milliseconds since the Unix epoch), since the source's start. */
export function metricRecords(source: MetricSource, now: number): PlainMetric[] {
  const records: PlainMetric[] = []
  for (const family of source.families()) {
    const { name, unit, description, kind } = family.declaration
    const about = { name, unit, description }
    const upAndDown = kind === 'updowncounter'
    const start = upAndDown ? source.storeStart : source.startTime
    const times: Times = { startTimeUnixNano: nanos(start), timeUnixNano: nanos(now) }
    const aggregationTemporality = upAndDown ? TEMPORALITY.cumulative : TEMPORALITY[source.temporality]
    if (kind === 'histogram') {
      const dataPoints = [...histogramPoints(family, family.declaration.boundaries, times)]
      if (dataPoints.length > 0) records.push({ ...about, histogram: { dataPoints, aggregationTemporality } })
      continue
    }
    const dataPoints = [...numberPoints(family, times)]
    if (dataPoints.length === 0) continue
    if (kind === 'gauge') records.push({ ...about, gauge: { dataPoints } })
    else records.push({ ...about, sum: { dataPoints, aggregationTemporality, isMonotonic: kind === 'counter' } })
  }
  return records
}

interface Times {
  readonly startTimeUnixNano: bigint
  readonly timeUnixNano: bigint
}

/** Seconds are doubles, also when they happen to be whole: a series keeps its type. */
function* numberPoints(family: Family, times: Times): Iterable<PlainNumberDataPoint> {
  const whole = family.declaration.unit !== 's'
  for (const series of family.series.values()) {
    const value = series.value()
    if (value === undefined) continue
    const common = { ...times, attributes: attributesOf(series.labels) }
    yield whole && Number.isSafeInteger(value) ? { ...common, asInt: value } : { ...common, asDouble: value }
  }
}

function* histogramPoints(
  family: Family,
  explicitBounds: readonly number[],
  times: Times,
): Iterable<PlainHistogramDataPoint> {
  for (const series of family.series.values()) {
    const bucketCounts = [...(series.buckets ?? [])]
    const count = bucketCounts.reduce((a, b) => a + b, 0)
    yield {
      ...times,
      attributes: attributesOf(series.labels),
      explicitBounds,
      bucketCounts,
      count,
      sum: series.value() ?? 0,
    }
  }
}

function nanos(milliseconds: number): bigint {
  return BigInt(Math.round(milliseconds * 1000)) * 1000n
}

function attributesOf(values: Readonly<Record<string, unknown>>): PlainKeyValue[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: anyValue(value) }))
}

function anyValue(value: unknown): PlainAnyValue {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'bigint') return { intValue: value }
  if (typeof value === 'number') return Number.isSafeInteger(value) ? { intValue: value } : { doubleValue: value }
  if (value instanceof Error) return { stringValue: describe(value) }
  return { stringValue: JSON.stringify(value) ?? String(value) }
}
