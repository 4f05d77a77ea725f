import { bucketsOf } from './exponential-buckets.ts'
import type {
  AttributesJson,
  ExemplarJson,
  ExponentialPointJson,
  HistogramPointJson,
  MetricJson,
  NumberPointJson,
  SummaryPointJson,
} from './otlp-json.ts'
import type { TextLines } from './text-lines.ts'
import { fixedText, idText, TEMPORALITY, timeText, wordFor } from './words.ts'

/** Writes a metric's descriptor and every data point. */
export function detailedMetric(out: TextLines, i: number, metric: MetricJson): void {
  const { gauge, sum, histogram, exponentialHistogram, summary } = metric
  out.line(`Metric #${i}`)
  out.line('Descriptor:')
  out.line(`     -> Name: ${metric.name ?? ''}`)
  out.line(`     -> Description: ${metric.description ?? ''}`)
  out.line(`     -> Unit: ${metric.unit ?? ''}`)
  out.line(`     -> DataType: ${dataType(metric)}`)
  out.attributes('     -> Metadata', metric.metadata)
  if (sum) out.line(`     -> IsMonotonic: ${sum.isMonotonic ?? false}`)
  const aggregated = sum ?? histogram ?? exponentialHistogram
  if (aggregated) out.line(`     -> AggregationTemporality: ${wordFor(TEMPORALITY, aggregated.aggregationTemporality)}`)
  for (const [j, point] of (gauge?.dataPoints ?? sum?.dataPoints ?? []).entries()) writeNumber(out, j, point)
  for (const [j, point] of (histogram?.dataPoints ?? []).entries()) writeHistogram(out, j, point)
  for (const [j, point] of (exponentialHistogram?.dataPoints ?? []).entries()) writeExponential(out, j, point)
  for (const [j, point] of (summary?.dataPoints ?? []).entries()) writeSummary(out, j, point)
}

function dataType({ gauge, sum, histogram, exponentialHistogram, summary }: MetricJson): string {
  if (gauge) return 'Gauge'
  if (sum) return 'Sum'
  if (histogram) return 'Histogram'
  if (exponentialHistogram) return 'ExponentialHistogram'
  return summary ? 'Summary' : 'Empty'
}

interface Point {
  readonly attributes?: AttributesJson
  readonly startTimeUnixNano?: string
  readonly timeUnixNano?: string
}

function writePoint(out: TextLines, title: string, i: number, point: Point): void {
  out.line(`${title} #${i}`)
  out.attributes('Data point attributes', point.attributes)
  out.line(`StartTimestamp: ${timeText(point.startTimeUnixNano)}`)
  out.line(`Timestamp: ${timeText(point.timeUnixNano)}`)
}

function writeNumber(out: TextLines, i: number, point: NumberPointJson): void {
  writePoint(out, 'NumberDataPoints', i, point)
  writeValue(out, '', point)
  writeExemplars(out, point.exemplars)
}

function writeHistogram(out: TextLines, i: number, point: HistogramPointJson): void {
  writePoint(out, 'HistogramDataPoints', i, point)
  writeTotals(out, point)
  for (const [j, bound] of (point.explicitBounds ?? []).entries()) out.line(`ExplicitBounds #${j}: ${fixedText(bound)}`)
  for (const [j, count] of (point.bucketCounts ?? []).entries()) out.line(`Buckets #${j}, Count: ${count}`)
  writeExemplars(out, point.exemplars)
}

function writeExponential(out: TextLines, i: number, point: ExponentialPointJson): void {
  writePoint(out, 'ExponentialHistogramDataPoints', i, point)
  writeTotals(out, point)
  for (const { lower, upper, count } of bucketsOf(point, point.negative).reverse()) {
    out.line(`Bucket [${fixedText(-upper)}, ${fixedText(-lower)}), Count: ${count}`)
  }
  const zero = String(point.zeroCount ?? 0)
  if (zero !== '0') out.line(`Bucket [0, 0], Count: ${zero}`)
  for (const { lower, upper, count } of bucketsOf(point, point.positive)) {
    out.line(`Bucket (${fixedText(lower)}, ${fixedText(upper)}], Count: ${count}`)
  }
  writeExemplars(out, point.exemplars)
}

function writeTotals(out: TextLines, point: HistogramPointJson | ExponentialPointJson): void {
  out.line(`Count: ${point.count ?? 0}`)
  if (point.sum !== undefined) out.line(`Sum: ${fixedText(point.sum)}`)
  if (point.min !== undefined) out.line(`Min: ${fixedText(point.min)}`)
  if (point.max !== undefined) out.line(`Max: ${fixedText(point.max)}`)
}

function writeSummary(out: TextLines, i: number, point: SummaryPointJson): void {
  writePoint(out, 'SummaryDataPoints', i, point)
  out.line(`Count: ${point.count ?? 0}`)
  out.line(`Sum: ${fixedText(point.sum)}`)
  for (const [j, { quantile, value }] of (point.quantileValues ?? []).entries()) {
    out.line(`QuantileValue #${j}: Quantile ${fixedText(quantile)}, Value ${fixedText(value)}`)
  }
}

function writeExemplars(out: TextLines, exemplars: readonly ExemplarJson[] = []): void {
  if (exemplars.length > 0) out.line('Exemplars:')
  for (const [i, exemplar] of exemplars.entries()) {
    out.line(`Exemplar #${i}`)
    out.line(`     -> Trace ID: ${idText(exemplar.traceId)}`)
    out.line(`     -> Span ID: ${idText(exemplar.spanId)}`)
    out.line(`     -> Timestamp: ${timeText(exemplar.timeUnixNano)}`)
    writeValue(out, '     -> ', exemplar)
    out.attributes('     -> FilteredAttributes', exemplar.filteredAttributes)
  }
}

function writeValue(out: TextLines, indent: string, { asInt, asDouble }: NumberPointJson | ExemplarJson): void {
  if (asInt !== undefined) out.line(`${indent}Value: ${asInt}`)
  else if (asDouble !== undefined) out.line(`${indent}Value: ${fixedText(asDouble)}`)
}
