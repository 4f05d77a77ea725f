import type { Labels } from '#core/component'
import type { Signal } from '#core/data'
import type { LogEntry } from './log-line.ts'
import { describe } from './log-line.ts'
import type { Family, MetricStore, Series } from './metric-store.ts'

/** An own log record or metric in the shape of OTLP/JSON, for `encode`. */
export type OwnRecord = { readonly [field: string]: unknown }

const SCOPE = { name: 'millrace' }
const SEVERITY = { debug: 5, info: 9, warn: 13, error: 17 } as const
const CUMULATIVE = 2

/** A request of own logs or metrics with the collector's resource. */
export function requestOf(signal: Signal, resource: Labels, records: readonly unknown[]): OwnRecord {
  const own = { attributes: attributesOf(resource) }
  if (signal === 'logs')
    return { resourceLogs: [{ resource: own, scopeLogs: [{ scope: SCOPE, logRecords: records }] }] }
  return { resourceMetrics: [{ resource: own, scopeMetrics: [{ scope: SCOPE, metrics: records }] }] }
}

/** A printed line as a log record. */
export function logRecord(entry: LogEntry): OwnRecord {
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

/** All own metrics as they stand at `now` (milliseconds since the Unix epoch), cumulative since the store began. */
export function metricRecords(store: MetricStore, now: number): OwnRecord[] {
  const times = { startTimeUnixNano: nanos(store.startTime), timeUnixNano: nanos(now) }
  const records: OwnRecord[] = []
  for (const family of store.families()) {
    const points = pointsOf(family, times)
    if (points.length === 0) continue
    const { name, unit, description, kind } = family.declaration
    const data = { dataPoints: points, aggregationTemporality: CUMULATIVE }
    if (kind === 'gauge') records.push({ name, unit, description, gauge: { dataPoints: points } })
    else if (kind === 'histogram') records.push({ name, unit, description, histogram: data })
    else records.push({ name, unit, description, sum: { ...data, isMonotonic: kind === 'counter' } })
  }
  return records
}

function pointsOf(family: Family, times: OwnRecord): OwnRecord[] {
  const points: OwnRecord[] = []
  for (const series of family.series.values()) {
    const value = series.value()
    if (value === undefined) continue
    const common = { ...times, attributes: attributesOf(series.labels) }
    if (family.declaration.kind === 'histogram')
      points.push(histogramPoint(common, family.declaration.boundaries, series, value))
    else if (Number.isSafeInteger(value)) points.push({ ...common, asInt: value })
    else points.push({ ...common, asDouble: value })
  }
  return points
}

function histogramPoint(common: OwnRecord, boundaries: readonly number[], series: Series, sum: number): OwnRecord {
  const bucketCounts = series.buckets ?? []
  return { ...common, explicitBounds: boundaries, bucketCounts, count: bucketCounts.reduce((a, b) => a + b, 0), sum }
}

function nanos(milliseconds: number): bigint {
  return BigInt(Math.round(milliseconds * 1000)) * 1000n
}

function attributesOf(values: Readonly<Record<string, unknown>>): OwnRecord[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: anyValue(value) }))
}

function anyValue(value: unknown): OwnRecord {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'bigint') return { intValue: value }
  if (typeof value === 'number') return Number.isSafeInteger(value) ? { intValue: value } : { doubleValue: value }
  if (value instanceof Error) return { stringValue: describe(value) }
  return { stringValue: JSON.stringify(value) ?? String(value) }
}
