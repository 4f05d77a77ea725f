import { hasBuiltInExporter } from './built-in-exporter.ts'
import { type ContentPolicy, contentPolicyOf } from './content.ts'
import { endpointOf } from './endpoint.ts'
import { countOf, type Fields, fieldsOf, textOf } from './fields.ts'
import type { Switches } from './switches.ts'

/** What the plugin does, from the gateway's configuration and the switches. */
export interface Settings {
  readonly switches: Switches
  /** Where spans go, or undefined when traces are off. */
  readonly traces: string | undefined
  /** Where metrics go, or undefined when metrics are off. */
  readonly metrics: string | undefined
  /** Whether the metrics of turns are measured too, not only what the plugin says of itself. */
  readonly turnMetrics: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  /** Share of traces that leave, 0..1. */
  readonly sampleRate: number
  /** Milliseconds between two exports of the metrics. */
  readonly metricInterval: number
  readonly content: ContentPolicy
  /** What stands before the names of metrics, with its separator: `openclaw.`, or what the gateway is told. */
  readonly metricPrefix: string
}

/** Shortest interval of metrics, as in the gateway. */
const MIN_INTERVAL = 1000
const DEFAULT_INTERVAL = 60_000

/** Settings, or why there is nothing to do, in a sentence for the log. */
export function settingsOf(config: unknown, switches: Switches, complain: (line: string) => void): Settings | string {
  const diagnostics = fieldsOf(fieldsOf(config).diagnostics)
  const otel = fieldsOf(diagnostics.otel)
  if (diagnostics.enabled === false) return 'diagnostics.enabled is false'
  if (otel.enabled !== true) return 'diagnostics.otel.enabled is not true'
  if (otel.protocol === 'grpc') return 'diagnostics.otel.protocol is grpc, and only http/protobuf is spoken here'
  try {
    const to = (signal: 'traces' | 'metrics', own: unknown) =>
      otel[signal] === false ? undefined : endpointOf(signal, textOf(otel.endpoint), textOf(own))
    const traces = to('traces', otel.tracesEndpoint)
    const metrics = switches.metrics === 'never' ? undefined : to('metrics', otel.metricsEndpoint)
    if (traces === undefined && metrics === undefined) return 'traces and metrics are both off'
    return {
      switches,
      traces,
      metrics,
      turnMetrics: metrics !== undefined && (switches.metrics === 'always' || !hasBuiltInExporter(config)),
      headers: headersOf(fieldsOf(otel.headers), complain),
      serviceName: textOf(otel.serviceName) ?? 'openclaw',
      sampleRate: Math.min(countOf(otel.sampleRate) ?? 1, 1),
      metricInterval: Math.max(countOf(otel.flushIntervalMs) ?? DEFAULT_INTERVAL, MIN_INTERVAL),
      content: contentPolicyOf(otel.captureContent),
      metricPrefix: typeof otel.metricNamePrefix === 'string' ? otel.metricNamePrefix : `${switches.prefix}.`,
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Headers that can be sent. Their values are never logged. */
function headersOf(written: Fields, complain: (line: string) => void): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(written)) {
    if (typeof value !== 'string') continue
    try {
      new Headers([[name, value]])
    } catch {
      complain(`the header ${JSON.stringify(name)} of diagnostics.otel.headers is not valid and is left out`)
      continue
    }
    if (/\$\{\w+\}/.test(value)) complain(`the header ${JSON.stringify(name)} still names a variable that is not set`)
    headers[name] = value
  }
  return headers
}
