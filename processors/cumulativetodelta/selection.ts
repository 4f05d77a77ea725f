import type { Metric, MetricType } from '#core/data'
import { compileGoRegExp } from '#core/transform'
import type { CumulativeToDeltaConfig, MatchMetrics } from './config.ts'

/** Whether a metric is to be converted, as far as name and type go. */
export type Selection = (metric: Metric) => boolean

/** `include` and `exclude` as one question; exclusion wins. */
export function selectionOf({ include, exclude }: Pick<CumulativeToDeltaConfig, 'include' | 'exclude'>): Selection {
  const wanted = [nameMatcher(include), typeMatcher(include)].filter(each => each !== undefined)
  const unwanted = [nameMatcher(exclude), typeMatcher(exclude)].filter(each => each !== undefined)
  return metric => wanted.every(fits => fits(metric)) && !unwanted.some(fits => fits(metric))
}

function nameMatcher({ match_type, metrics }: MatchMetrics): Selection | undefined {
  if (metrics.length === 0) return undefined
  if (match_type === 'strict') {
    const names = new Set(metrics)
    return metric => names.has(metric.name)
  }
  const patterns = metrics.map(pattern => compileGoRegExp(pattern).regexp)
  return ({ name }) => patterns.some(pattern => pattern.test(name))
}

const TYPES: Readonly<Record<string, MetricType>> = {
  sum: 'sum',
  histogram: 'histogram',
  exponentialhistogram: 'exponential_histogram',
}

function typeMatcher({ metric_types }: MatchMetrics): Selection | undefined {
  if (metric_types.length === 0) return undefined
  const types = new Set(metric_types.map(name => TYPES[name.toLowerCase()]))
  return metric => types.has(metric.type)
}
