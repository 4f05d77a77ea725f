/** The texts of verbosity `normal`: a line for each resource, scope and record. @module */
import { bucketsOf } from './exponential-buckets.ts'
import type {
  AttributesJson,
  ExponentialPointJson,
  HistogramPointJson,
  LogsJson,
  MetricJson,
  MetricsJson,
  NumberPointJson,
  ResourceJson,
  ScopeJson,
  SummaryPointJson,
  TracesJson,
} from './otlp-json.ts'
import { fixedText, idText, shortText, valueText } from './words.ts'

/** `ResourceTraces #0 ...`, `ScopeTraces #0 ...`, then `name traceid spanid k=v ...` for each span. */
export function normalTraces({ resourceSpans = [] }: TracesJson): string {
  return lines(
    resourceSpans.flatMap((resource, i) => [
      resourceLine('ResourceTraces', i, resource),
      ...(resource.scopeSpans ?? []).flatMap((scope, j) => [
        scopeLine('ScopeTraces', j, scope),
        ...(scope.spans ?? []).map(span =>
          [span.name ?? '', idText(span.traceId), idText(span.spanId), ...pairs(span.attributes)].join(' '),
        ),
      ]),
    ]),
  )
}

/** `ResourceLog #0 ...`, `ScopeLog #0 ...`, then `body k=v ...` for each record. */
export function normalLogs({ resourceLogs = [] }: LogsJson): string {
  return lines(
    resourceLogs.flatMap((resource, i) => [
      resourceLine('ResourceLog', i, resource),
      ...(resource.scopeLogs ?? []).flatMap((scope, j) => [
        scopeLine('ScopeLog', j, scope),
        ...(scope.logRecords ?? []).map(log => `${valueText(log.body)} ${pairs(log.attributes).join(' ')}`),
      ]),
    ]),
  )
}

/** `ResourceMetrics #0 ...`, `ScopeMetrics #0 ...`, then `name{k=v,...} value` for each data point. */
export function normalMetrics({ resourceMetrics = [] }: MetricsJson): string {
  return lines(
    resourceMetrics.flatMap((resource, i) => [
      resourceLine('ResourceMetrics', i, resource),
      ...(resource.scopeMetrics ?? []).flatMap((scope, j) => [
        scopeLine('ScopeMetrics', j, scope),
        ...(scope.metrics ?? []).flatMap(metricLines),
      ]),
    ]),
  )
}

function metricLines(metric: MetricJson): string[] {
  const line = (point: { readonly attributes?: AttributesJson }, value: string) =>
    `${metric.name ?? ''}{${pairs(point.attributes).join(',')}} ${value}`
  const numbers = metric.gauge?.dataPoints ?? metric.sum?.dataPoints ?? []
  return [
    ...numbers.map(point => line(point, numberText(point))),
    ...(metric.histogram?.dataPoints ?? []).map(point => line(point, histogramText(point))),
    ...(metric.exponentialHistogram?.dataPoints ?? []).map(point => line(point, exponentialText(point))),
    ...(metric.summary?.dataPoints ?? []).map(point => line(point, summaryText(point))),
  ]
}

function numberText({ asInt, asDouble }: NumberPointJson): string {
  if (asInt !== undefined) return String(asInt)
  return asDouble === undefined ? '' : shortText(asDouble)
}

function histogramText(point: HistogramPointJson): string {
  const bounds = point.explicitBounds ?? []
  const buckets = (point.bucketCounts ?? []).map((count, i) =>
    i < bounds.length ? `le${shortText(bounds[i])}=${count}` : String(count),
  )
  return [...totals(point), ...buckets].join(' ')
}

function exponentialText(point: ExponentialPointJson): string {
  const zero = point.zeroCount ?? '0'
  return [
    ...totals(point),
    ...bucketsOf(point, point.negative)
      .reverse()
      .map(({ lower, count }) => `le${shortText(-lower)}=${count}`),
    ...(String(zero) === '0' ? [] : [`zero=${zero}`]),
    ...bucketsOf(point, point.positive).map(({ upper, count }) => `le${shortText(upper)}=${count}`),
  ].join(' ')
}

function totals({ count, sum, min, max }: HistogramPointJson | ExponentialPointJson): string[] {
  return [
    `count=${count ?? 0}`,
    ...Object.entries({ sum, min, max }).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${shortText(value)}`],
    ),
  ]
}

function summaryText({ count, sum, quantileValues = [] }: SummaryPointJson): string {
  const quantiles = quantileValues.map(each => `q${shortText(each.quantile)}=${shortText(each.value)}`)
  return [`count=${count ?? 0}`, `sum=${fixedText(sum)}`, ...quantiles].join(' ')
}

function resourceLine(title: string, i: number, { schemaUrl, resource }: ResourceJson): string {
  return [`${title} #${i}`, ...bracketed(schemaUrl), ...pairs(resource?.attributes)].join(' ')
}

function scopeLine(title: string, i: number, { schemaUrl, scope = {} }: ScopeJson): string {
  const name = `${scope.name ?? ''}${scope.version ? `@${scope.version}` : ''}`
  return [`${title} #${i}`, ...(name === '' ? [] : [name]), ...bracketed(schemaUrl), ...pairs(scope.attributes)].join(
    ' ',
  )
}

function bracketed(schemaUrl: string | undefined): string[] {
  return schemaUrl ? [`[${schemaUrl}]`] : []
}

function pairs(attributes: AttributesJson = []): string[] {
  return attributes.map(({ key = '', value }) => `${key}=${valueText(value)}`)
}

function lines(all: readonly string[]): string {
  return all.map(line => `${line}\n`).join('')
}
