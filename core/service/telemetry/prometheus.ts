import type { Registry } from 'prom-client'
import type { Labels } from '#core/component'
import type { Family, MetricStore, Series } from './metric-store.ts'
import { nameFilter } from './wildcard.ts'

/**
 * The only file that meets prom-client. The store keeps the numbers (an addition to a field a recording, against a hash
 * of the labels in prom-client); prom-client prints them.
 * @module
 */

/** How a page differs from the plain names: the switches of the Collector's prometheus reader. */
export interface PageOptions {
  readonly without_units: boolean
  readonly without_type_suffix: boolean
  /** Labels that every sample gets. */
  readonly constant?: Labels
  /** Resource attributes that every sample gets as labels: patterns with `*` and `?`. */
  readonly with_resource_constant_labels?: {
    readonly included: readonly string[]
    readonly excluded: readonly string[]
  }
}

interface Sample {
  readonly metricName?: string
  readonly labels: Record<string, string | number>
  readonly value: number
}

/** Prints all metrics of `store` and `target_info` with `resource` in the Prometheus text format. */
export async function prometheusText(
  store: MetricStore,
  resource: Labels,
  options: PageOptions,
): Promise<{ readonly contentType: string; readonly body: string }> {
  // Loaded at the first page: nobody has to wait for it at start.
  const { default: prometheus } = await import('prom-client')
  const registry = new prometheus.Registry()
  const constant = promLabels({
    ...constantLabels(resource, options.with_resource_constant_labels),
    ...options.constant,
  })
  for (const family of store.families()) {
    const samples = samplesOf(family, pageName(family, options), constant)
    if (samples.length > 0) register(registry, pageName(family, options), help(family), typeOf(family), samples)
  }
  register(registry, 'target_info', 'Target metadata', 'gauge', [{ labels: promLabels(resource), value: 1 }])
  return { contentType: registry.contentType, body: await registry.metrics() }
}

function register(registry: Registry, name: string, helpText: string, type: string, values: readonly Sample[]): void {
  const metric = {
    name,
    help: helpText,
    type,
    aggregator: 'sum',
    get: () => ({ name, help: helpText, type, values, aggregator: 'sum' }),
  }
  // A registry takes anything with a name and `get`; its typings ask for prom-client's own classes.
  registry.registerMetric(metric as unknown as Parameters<typeof registry.registerMetric>[0])
}

function samplesOf(family: Family, name: string, constant: Record<string, string>): Sample[] {
  const samples: Sample[] = []
  for (const series of family.series.values()) {
    const value = series.value()
    if (value === undefined) continue
    const labels = { ...promLabels(series.labels), ...constant }
    if (family.declaration.kind === 'histogram')
      samples.push(...histogramSamples(name, labels, family.declaration.boundaries, series, value))
    else samples.push({ labels, value })
  }
  return samples
}

function histogramSamples(
  name: string,
  labels: Record<string, string>,
  boundaries: readonly number[],
  series: Series,
  sum: number,
): Sample[] {
  const samples: Sample[] = []
  let count = 0
  series.buckets?.forEach((bucket, i) => {
    count += bucket
    samples.push({
      metricName: `${name}_bucket`,
      labels: { ...labels, le: boundaries[i] ?? '+Inf' } as Record<string, string>,
      value: count,
    })
  })
  samples.push({ metricName: `${name}_sum`, labels, value: sum }, { metricName: `${name}_count`, labels, value: count })
  return samples
}

function typeOf(family: Family): string {
  const { kind } = family.declaration
  return kind === 'updowncounter' ? 'gauge' : kind
}

function help(family: Family): string {
  return family.declaration.description
}

const UNIT_SUFFIX: Readonly<Record<string, string>> = {
  s: '_seconds',
  ms: '_milliseconds',
  By: '_bytes',
  '%': '_percent',
}

function pageName(family: Family, options: PageOptions): string {
  const { name, unit, kind } = family.declaration
  let printed = name.replace(/[^a-zA-Z0-9_:]/g, '_')
  const suffix = UNIT_SUFFIX[unit]
  if (!options.without_units && suffix !== undefined && !printed.endsWith(suffix)) printed += suffix
  if (!options.without_type_suffix && kind === 'counter') printed += '_total'
  return printed
}

function promLabels(labels: Labels): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name.replace(/[^a-zA-Z0-9_]/g, '_'), value]))
}

function constantLabels(resource: Labels, filter: PageOptions['with_resource_constant_labels']): Labels {
  if (filter === undefined || filter.included.length === 0) return {}
  const kept = nameFilter(filter.included, filter.excluded)
  return Object.fromEntries(Object.entries(resource).filter(([name]) => kept(name)))
}
