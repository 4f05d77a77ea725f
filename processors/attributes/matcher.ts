import { key, type LogRecord, type Metric, type Resource, type Scope, type Span } from '#core/data'
import { valueAsText } from '#core/transform'
import { attributesMatcher } from './match-attributes.ts'
import type { MatchConfig } from './match-option.ts'
import { textMatcher } from './match-text.ts'

/** Whether a span, log record or metric meets all conditions. */
export type Matcher<T> = (record: T) => boolean

/** Conditions on spans. */
export function spanMatcher(config: MatchConfig): Matcher<Span> {
  const { match_type: type } = config
  const service = textMatcher(config.services, type)
  const name = textMatcher(config.span_names, type)
  const kind = textMatcher(config.span_kinds, type)
  const around = aroundMatcher(config)
  const attributes = attributesMatcher(config.attributes, type)
  return all<Span>(
    service && (span => service(serviceOf(span.resource))),
    name && (span => name(span.name)),
    kind && (span => kind(KIND[span.kind] ?? '')),
    around,
    attributes && (span => attributes(span.attributes)),
  )
}

/** Conditions on log records. */
export function logMatcher(config: MatchConfig): Matcher<LogRecord> {
  const { match_type: type, log_severity_number: severity } = config
  const body = textMatcher(config.log_bodies, type)
  const text = textMatcher(config.log_severity_texts, type)
  const around = aroundMatcher(config)
  const attributes = attributesMatcher(config.attributes, type)
  return all<LogRecord>(
    body && (log => body(valueAsText(log.body ?? null))),
    text && (log => text(log.severityText)),
    severity && (({ severityNumber: number }) => (number === 0 ? severity.match_undefined : number >= severity.min)),
    around,
    attributes && (log => attributes(log.attributes)),
  )
}

/** Conditions on metrics. */
export function metricMatcher(config: MatchConfig): Matcher<Metric> {
  const name = textMatcher(config.metric_names, config.match_type)
  return all<Metric>(name && (metric => name(metric.name)), aroundMatcher(config))
}

function all<T>(...conditions: (Matcher<T> | undefined)[]): Matcher<T> {
  const present = conditions.filter(condition => condition !== undefined)
  return record => present.every(condition => condition(record))
}

/** Conditions on the resource and the scope. */
function aroundMatcher(
  config: MatchConfig,
): Matcher<{ readonly resource: Resource; readonly scope: Scope }> | undefined {
  const { match_type: type } = config
  const resource = attributesMatcher(config.resources, type)
  const libraries = config.libraries.map(({ name, version }) => {
    const nameFits = textMatcher([name], type)!
    const versionFits = version === undefined ? () => true : textMatcher([version], type)!
    return (scope: Scope) => nameFits(scope.name) && versionFits(scope.version)
  })
  if (resource === undefined && libraries.length === 0) return undefined
  return record =>
    (resource === undefined || resource(record.resource.attributes)) &&
    libraries.every(library => library(record.scope))
}

const SERVICE_NAME = key('service.name')

/** What the Collector takes for the name of a service that has none. */
function serviceOf({ attributes }: Resource): string {
  const name = attributes.get(SERVICE_NAME)
  return name === undefined ? '<nil-service-name>' : valueAsText(name)
}

const KIND = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map(kind => `SPAN_KIND_${kind}`)
