/** What a metric of OTLP is measured by, as far as its name in Prometheus depends on it. */
export interface MetricFact {
  readonly kind: 'counter' | 'histogram'
  /** As in UCUM; what stands in braces is a note. */
  readonly unit: string
}

/** Words that Prometheus puts in place of units; others stand as they are. */
const UNITS: Readonly<Record<string, string>> = { ms: 'milliseconds', s: 'seconds', By: 'bytes', '1': '' }

/**
 * The name of a metric in Prometheus when it comes by OTLP, with `_total` behind counters; histograms have `_bucket`,
 * `_sum` and `_count` behind it. The unit is put behind the name unless it is one of its words.
 * Source: https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/ and Prometheus' own default,
 * `translation_strategy: UnderscoreEscapingWithSuffixes`.
 */
export function prometheusName(name: string, { kind, unit }: MetricFact): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter(word => word !== '')
  const bare = unit.replace(/\{[^}]*\}/g, '')
  const suffix = UNITS[bare] ?? bare
  if (suffix !== '' && !words.includes(suffix)) words.push(suffix)
  if (kind === 'counter' && words.at(-1) !== 'total') words.push('total')
  return words.join('_')
}

/** What a prefix of metrics or attributes becomes in Prometheus: `acme.` and `acme` become `acme_`, nothing stays nothing. */
export function prometheusPrefix(prefix: string): string {
  const escaped = prefix.replace(/[^A-Za-z0-9]+/g, '_')
  return escaped === '' || escaped.endsWith('_') ? escaped : `${escaped}_`
}
