import type { MetricName } from './metrics.ts'
import type { PanelQuery, PanelRow } from './panel.ts'
import { Promql, type Taken } from './promql.ts'

/** Kinds of tokens that add up; the gateway also counts their sums (`prompt`, `total`). */
const SINGLE_TOKENS = '<token>=~"input|output|cache_read|cache_write"'
/** The gateway records a run twice; only one of the two has an outcome. */
const ONCE = '<outcome>!=""'

const q = new Promql({
  metric: '$' + '{metric_prefix}',
  label: '$' + '{attribute_prefix}',
  matchers: ['job=~"$job"'],
  window: '$__rate_interval',
})
const legend = (label: string) => `{{${q.label(label)}}}`
const RANGE = { window: '$__range' }

function quantiles(metric: MetricName, taken: Taken = {}): readonly PanelQuery[] {
  return [0.5, 0.95, 0.99].map(quantile => ({
    expr: q.quantile(quantile, metric, taken),
    legend: `p${quantile * 100}`,
  }))
}

/** Security records among the logs; Loki keeps attributes as structured metadata, dots as underscores. */
const securityLogs = (filter: string, by: string) =>
  `sum by (${by}) (count_over_time({service_name=~".+"} | \${attribute_prefix}security_action!=""${filter} [$__auto]))`
const security = (name: string) => q.label(`security.${name}`)

/** Where the gateways are found; one of these every one has. */
export const JOBS_QUERY = `label_values(${q.anyOf(['telemetry.exporter.events', 'tracing.spans', 'tokens'])}, job)`

/** Everything on the dashboard. */
export const PANEL_ROWS: readonly PanelRow[] = [
  {
    title: 'Usage',
    panels: [
      {
        title: 'Tokens',
        kind: 'stat',
        unit: 'short',
        width: 4,
        queries: [{ expr: q.increase('tokens', { where: [SINGLE_TOKENS], ...RANGE }), legend: 'tokens' }],
      },
      {
        title: 'Cost',
        kind: 'stat',
        unit: 'currencyUSD',
        width: 4,
        queries: [{ expr: q.increase('cost.usd', RANGE), legend: 'cost' }],
      },
      {
        title: 'Cost an hour by agent',
        unit: 'currencyUSD',
        queries: [{ expr: `${q.rate('cost.usd', { by: ['agent'] })} * 3600`, legend: legend('agent') }],
      },
      {
        title: 'Cost an hour by model',
        unit: 'currencyUSD',
        queries: [{ expr: `${q.rate('cost.usd', { by: ['model'] })} * 3600`, legend: legend('model') }],
      },
      {
        title: 'Tokens a minute by model',
        unit: 'short',
        width: 12,
        queries: [
          { expr: `${q.rate('tokens', { by: ['model'], where: [SINGLE_TOKENS] })} * 60`, legend: legend('model') },
        ],
      },
      {
        title: 'Tokens a minute by kind',
        unit: 'short',
        width: 12,
        queries: [
          { expr: `${q.rate('tokens', { by: ['token'], where: [SINGLE_TOKENS] })} * 60`, legend: legend('token') },
        ],
      },
    ],
  },
  {
    title: 'Turns',
    panels: [
      {
        title: 'Turn latency',
        description: 'Gateways before 2026.5 have no bucket above 10 s.',
        unit: 'ms',
        queries: quantiles('run.duration_ms', { where: [ONCE] }),
      },
      {
        title: 'Turns a minute by outcome',
        unit: 'short',
        queries: [
          { expr: `${q.rate('run.duration_ms', { by: ['outcome'], where: [ONCE] })} * 60`, legend: legend('outcome') },
        ],
      },
      {
        title: 'Turn latency seen by the tracing plugin',
        description: 'Only where the plugin measures, that is without the built-in exporter.',
        unit: 'ms',
        queries: quantiles('agent.turn_duration'),
      },
      {
        title: 'Message latency',
        description: 'From a message to its answer, waiting included.',
        unit: 'ms',
        queries: quantiles('message.duration_ms'),
      },
      {
        title: 'Messages a minute by channel',
        unit: 'short',
        queries: [
          {
            expr: `${q.rate('message.processed', { by: ['channel', 'outcome'] })} * 60`,
            legend: `${legend('channel')} ${legend('outcome')}`,
          },
        ],
      },
      {
        title: 'Model call latency, p95 by model',
        unit: 'ms',
        queries: [
          { expr: q.quantile(0.95, 'model_call.duration_ms', { by: ['model'] }), legend: legend('model') },
          {
            expr: q.quantile(0.95, 'model_call.time_to_first_byte_ms', { by: ['model'] }),
            legend: `${legend('model')} first byte`,
          },
        ],
      },
    ],
  },
  {
    title: 'Tools',
    panels: [
      {
        title: 'Tool calls a minute',
        unit: 'short',
        queries: [
          { expr: `${q.rate('tool.execution.duration_ms', { by: ['toolName'] })} * 60`, legend: legend('toolName') },
          { expr: `${q.rate('tool.calls', { by: ['tool.name'] })} * 60`, legend: `${legend('tool.name')} (plugin)` },
        ],
      },
      {
        title: 'Tool errors a minute',
        unit: 'short',
        queries: [
          {
            expr: `${q.rate('tool.execution.duration_ms', { by: ['toolName', 'errorCategory'], where: ['<errorCategory>!=""'] })} * 60`,
            legend: `${legend('toolName')} ${legend('errorCategory')}`,
          },
          { expr: `${q.rate('tool.errors', { by: ['tool.name'] })} * 60`, legend: `${legend('tool.name')} (plugin)` },
        ],
      },
      {
        title: 'Tool latency, p95',
        unit: 'ms',
        queries: [
          { expr: q.quantile(0.95, 'tool.execution.duration_ms', { by: ['toolName'] }), legend: legend('toolName') },
          { expr: q.quantile(0.95, 'tool.duration', { by: ['tool.name'] }), legend: `${legend('tool.name')} (plugin)` },
        ],
      },
      {
        title: 'Blocked tools, since the start',
        unit: 'short',
        width: 12,
        queries: [
          {
            expr: q.total('tool.execution.blocked', { by: ['toolName', 'deniedReason'] }),
            legend: `${legend('toolName')} ${legend('deniedReason')}`,
          },
        ],
      },
      {
        title: 'Tool loops, since the start',
        unit: 'short',
        width: 12,
        queries: [
          {
            expr: q.total('tool.loop', { by: ['toolName', 'loop.detector'] }),
            legend: `${legend('toolName')} ${legend('loop.detector')}`,
          },
        ],
      },
    ],
  },
  {
    title: 'Queue and sessions',
    panels: [
      { title: 'Queue wait', unit: 'ms', queries: quantiles('queue.wait_ms') },
      { title: 'Queue depth, mean', unit: 'short', queries: [{ expr: q.mean('queue.depth'), legend: 'waiting' }] },
      {
        title: 'Session states a minute',
        unit: 'short',
        queries: [{ expr: `${q.rate('session.state', { by: ['state'] })} * 60`, legend: legend('state') }],
      },
      {
        title: 'Stuck sessions, since the start',
        unit: 'short',
        queries: [{ expr: q.total('session.stuck', { by: ['state'] }), legend: legend('state') }],
      },
      { title: 'Age of stuck sessions', unit: 'ms', queries: quantiles('session.stuck_age_ms') },
      {
        title: 'Model failovers, since the start',
        unit: 'short',
        queries: [{ expr: q.total('model.failover'), legend: 'failovers' }],
      },
    ],
  },
  {
    title: 'Security, from logs',
    panels: [
      {
        title: 'Authentication failures',
        description: 'Needs logs (diagnostics.otel.logs) in Loki.',
        source: 'loki',
        unit: 'short',
        queries: [
          {
            expr: securityLogs(` | ${security('action')}="gateway.auth.failed"`, security('reason')),
            legend: `{{${security('reason')}}}`,
          },
        ],
      },
      {
        title: 'Security records by action',
        source: 'loki',
        unit: 'short',
        queries: [{ expr: securityLogs('', security('action')), legend: `{{${security('action')}}}` }],
      },
      {
        title: 'Denied and high or critical',
        source: 'loki',
        unit: 'short',
        queries: [
          {
            expr: securityLogs(` | ${security('outcome')}="denied"`, security('action')),
            legend: `denied {{${security('action')}}}`,
          },
          {
            expr: securityLogs(` | ${security('severity')}=~"high|critical"`, security('action')),
            legend: `severe {{${security('action')}}}`,
          },
        ],
      },
      {
        title: 'Detections by rule, since the start',
        description: 'What the connector agent_gateway_detections raised.',
        unit: 'short',
        width: 24,
        queries: [
          {
            expr: 'sum by (rule, severity) (otelcol_connector_agent_gateway_detections_raised)',
            legend: '{{rule}} {{severity}}',
          },
        ],
      },
    ],
  },
  {
    title: 'Health of the export',
    panels: [
      {
        title: 'Exporter events other than a start, since the start',
        description: 'What the gateway says of its own exporter.',
        unit: 'short',
        queries: [
          {
            expr: q.total('telemetry.exporter.events', {
              by: ['signal', 'status', 'reason'],
              where: ['<status>!="started"'],
            }),
            legend: `${legend('signal')} ${legend('status')} ${legend('reason')}`,
          },
        ],
      },
      {
        title: 'Dropped before export, since the start',
        unit: 'short',
        queries: [
          { expr: q.total('diagnostic.async_queue.dropped'), legend: 'diagnostic events' },
          { expr: q.total('tracing.dropped_spans'), legend: 'spans of the plugin' },
        ],
      },
      {
        title: 'Memory of the gateway, mean',
        unit: 'bytes',
        queries: [{ expr: q.mean('memory.rss_bytes'), legend: 'resident' }],
      },
      {
        title: 'Collector: items refused',
        unit: 'short',
        queries: ['spans', 'metric_points', 'log_records'].map(noun => ({
          expr: `sum(rate(otelcol_receiver_refused_${noun}[$__rate_interval]))`,
          legend: noun,
        })),
      },
      {
        title: 'Collector: items not delivered',
        unit: 'short',
        queries: ['spans', 'metric_points', 'log_records'].map(noun => ({
          expr: `sum(rate(otelcol_exporter_send_failed_${noun}[$__rate_interval]))`,
          legend: noun,
        })),
      },
      {
        title: 'Collector: fullest queue',
        unit: 'percentunit',
        queries: [
          {
            expr: 'max by (exporter) (otelcol_exporter_queue_size / otelcol_exporter_queue_capacity)',
            legend: '{{exporter}}',
          },
        ],
      },
      {
        title: 'Collector: spans put right',
        description: 'Spans that were given another parent, by reason, and those that could not wait for the others.',
        unit: 'short',
        width: 12,
        queries: [
          {
            expr: 'sum by (reason) (rate(otelcol_processor_agent_gateway_reparented_spans[$__rate_interval]))',
            legend: '{{reason}}',
          },
          { expr: 'sum(rate(otelcol_processor_agent_gateway_early_spans[$__rate_interval]))', legend: 'left early' },
        ],
      },
      {
        title: 'Collector: spans that wait',
        unit: 'short',
        width: 12,
        queries: [{ expr: 'sum(otelcol_processor_agent_gateway_waiting_spans)', legend: 'waiting' }],
      },
    ],
  },
]
