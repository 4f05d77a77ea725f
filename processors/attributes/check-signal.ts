import type { Signal } from '#core/data'
import type { MatchConfig } from './match-option.ts'

const FIELDS = [
  ...(['services', 'span_names', 'span_kinds', 'log_bodies', 'log_severity_texts'] as const),
  ...(['log_severity_number', 'metric_names', 'attributes', 'resources', 'libraries'] as const),
]
type Field = (typeof FIELDS)[number]

/** Which conditions each signal has, and what the Collector says when none of them is written. */
const ALLOWED: Partial<Record<Signal, { readonly fields: readonly Field[]; readonly missing: string }>> = {
  traces: {
    fields: ['services', 'span_names', 'span_kinds', 'attributes', 'resources', 'libraries'],
    missing: 'at least one of "attributes", "libraries",  or "resources" field must be specified',
  },
  logs: {
    fields: ['log_bodies', 'log_severity_texts', 'log_severity_number', 'attributes', 'resources', 'libraries'],
    missing:
      'at least one of "attributes", "libraries", "span_kinds", "resources", "log_bodies", "log_severity_texts" or "log_severity_number" field must be specified',
  },
  metrics: {
    fields: ['metric_names', 'resources'],
    missing: 'at least one of "metric_names" or "resources" field must be specified',
  },
}

/**
 * The first fault of conditions for records of a signal, in the Collector's words (contrib `internal/filter/filterconfig`);
 * `undefined` when there is none.
 */
export function signalFault(config: MatchConfig, signal: Signal): string | undefined {
  const { fields, missing } = ALLOWED[signal]!
  const written = FIELDS.filter(field => isWritten(config[field]))
  const foreign = written.find(field => !fields.includes(field))
  if (foreign !== undefined) return foreignFault(foreign, signal)
  if (written.length === 0) return missing
  if (config.match_type === 'strict' && config.span_kinds.some(kind => !KINDS.includes(kind))) {
    return `span_kinds string must match one of the standard span kinds when match_type=strict: [${KINDS.join(' ')}]`
  }
  return undefined
}

function isWritten(value: MatchConfig[Field]): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined
}

function foreignFault(field: Field, signal: Signal): string {
  if (signal === 'traces') return `${field} should not be specified for trace spans`
  if (signal === 'logs') return 'services, span_names, span_kinds and metric_names are not valid for log records'
  return '"span_names", "span_kinds", "log_bodies", "log_severity_texts", "log_severity_number", "services", "attributes" and "libraries" are not valid for metrics'
}

const KINDS = ['SPAN_KIND_CLIENT', 'SPAN_KIND_CONSUMER', 'SPAN_KIND_INTERNAL', 'SPAN_KIND_PRODUCER', 'SPAN_KIND_SERVER']
