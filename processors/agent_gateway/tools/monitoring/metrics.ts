import type { MetricFact } from './prometheus-name.ts'

const count: MetricFact = { kind: 'counter', unit: '1' }
const milliseconds: MetricFact = { kind: 'histogram', unit: 'ms' }

/** The gateway's metrics that dashboard and alerts ask for, without their prefix. */
export const GATEWAY_METRICS = {
  tokens: count,
  'cost.usd': count,
  'run.duration_ms': milliseconds,
  'message.processed': count,
  'message.duration_ms': milliseconds,
  'model_call.duration_ms': milliseconds,
  'model_call.time_to_first_byte_ms': milliseconds,
  'model.failover': count,
  'tool.execution.duration_ms': milliseconds,
  'tool.execution.blocked': count,
  'tool.loop': count,
  'queue.depth': { kind: 'histogram', unit: '1' },
  'queue.wait_ms': milliseconds,
  'session.state': count,
  'session.stuck': count,
  'session.stuck_age_ms': milliseconds,
  'memory.rss_bytes': { kind: 'histogram', unit: 'By' },
  'diagnostic.async_queue.dropped': count,
  'telemetry.exporter.events': count,
} as const satisfies Readonly<Record<string, MetricFact>>

/** Those that only the tracing plugin has. */
export const PLUGIN_METRICS = {
  'agent.turn_duration': milliseconds,
  'tool.calls': { kind: 'counter', unit: '{call}' },
  'tool.errors': { kind: 'counter', unit: '{error}' },
  'tool.duration': milliseconds,
  'tracing.spans': { kind: 'counter', unit: '{span}' },
  'tracing.dropped_spans': { kind: 'counter', unit: '{span}' },
} as const satisfies Readonly<Record<string, MetricFact>>

export const METRICS: Readonly<Record<MetricName, MetricFact>> = { ...GATEWAY_METRICS, ...PLUGIN_METRICS }

/** A metric by its name without prefix. */
export type MetricName = keyof typeof GATEWAY_METRICS | keyof typeof PLUGIN_METRICS
