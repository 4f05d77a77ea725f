import { Promql } from './promql.ts'

/** A rule of Prometheus or Loki. */
export interface AlertRule {
  readonly alert: string
  readonly expr: string
  readonly for: string
  readonly labels: { readonly severity: 'critical' | 'warning' }
  readonly annotations: { readonly summary: string; readonly description: string }
}

/** Groups as a rule file holds them. */
export interface RuleFile {
  readonly groups: readonly { readonly name: string; readonly rules: readonly AlertRule[] }[]
}

/** Prefixes as they stand in Prometheus. */
export interface RulePrefixes {
  readonly metricPrefix: string
  readonly attributePrefix: string
}

/** What the connector agent_gateway_detections found that is grave. */
const RAISED = 'otelcol_connector_agent_gateway_detections_raised{severity=~"critical|high"}'

const ONCE = '<outcome>!=""'

/** Rules on metrics, for Prometheus and what reads its files. */
export function prometheusRules({ metricPrefix, attributePrefix }: RulePrefixes): RuleFile {
  const q = new Promql({ metric: metricPrefix, label: attributePrefix, matchers: [], window: '10m' })
  const failed = q.rate('run.duration_ms', { where: ['<outcome>!~"|completed|aborted|cancelled"'] })
  const collector = (noun: string) => `sum(rate(otelcol_exporter_send_failed_${noun}[10m])) > 0`
  return {
    groups: [
      {
        name: 'agent-gateway',
        rules: [
          rule(
            'AgentTurnsSlow',
            `${q.quantile(0.95, 'run.duration_ms', { where: [ONCE] })} > 60000`,
            '10m',
            'warning',
            'Turns of agents are slow',
            'One turn in twenty takes longer than a minute, {{ $value | humanize }} ms.',
          ),
          rule(
            'AgentTurnsFail',
            `${failed} / ${q.rate('run.duration_ms', { where: [ONCE] })} > 0.1`,
            '10m',
            'critical',
            'Turns of agents fail',
            '{{ $value | humanizePercentage }} of turns end with an error.',
          ),
          rule(
            'AgentToolErrors',
            `${q.rate('tool.execution.duration_ms', { by: ['toolName'], where: ['<errorCategory>!=""'] })} / ${q.rate('tool.execution.duration_ms', { by: ['toolName'] })} > 0.2`,
            '10m',
            'warning',
            'A tool fails often',
            `{{ $value | humanizePercentage }} of the calls of {{ $labels.${q.label('toolName')} }} fail.`,
          ),
          rule(
            'AgentToolErrors',
            `${q.rate('tool.errors', { by: ['tool.name'] })} / ${q.rate('tool.calls', { by: ['tool.name'] })} > 0.2`,
            '10m',
            'warning',
            'A tool fails often',
            `{{ $value | humanizePercentage }} of the calls of {{ $labels.${q.label('tool.name')} }} fail, as the tracing plugin counts.`,
          ),
          rule(
            'AgentToolsBlocked',
            q.happened('tool.execution.blocked', { by: ['toolName', 'deniedReason'] }),
            '0m',
            'warning',
            'A tool was blocked',
            `{{ $labels.${q.label('toolName')} }} was refused: {{ $labels.${q.label('deniedReason')} }}.`,
          ),
          rule(
            'AgentDetection',
            `(${RAISED} > 0 unless ${RAISED} offset 10m) or increase(${RAISED}[10m]) > 0`,
            '0m',
            'critical',
            'Something grave was detected',
            '{{ $labels.rule }} ({{ $labels.severity }}), raised by agent_gateway_detections.',
          ),
          rule(
            'AgentToolLoop',
            q.happened('tool.loop', { by: ['toolName'] }),
            '0m',
            'warning',
            'An agent repeats itself',
            `{{ $labels.${q.label('toolName')} }} is called again and again.`,
          ),
          rule(
            'AgentQueueWait',
            `${q.quantile(0.95, 'queue.wait_ms')} > 30000`,
            '10m',
            'warning',
            'Messages wait',
            'One message in twenty waits longer than 30 s before an agent begins.',
          ),
          rule(
            'AgentSessionsStuck',
            q.happened('session.stuck'),
            '0m',
            'critical',
            'Sessions are stuck',
            '{{ $value | humanize }} times in ten minutes a session did not get on.',
          ),
          rule(
            'AgentCost',
            `${q.increase('cost.usd', { window: '1h' })} > 10`,
            '0m',
            'warning',
            'Agents are expensive',
            'The last hour cost {{ $value | humanize }} USD.',
          ),
        ],
      },
      {
        name: 'agent-gateway-export',
        rules: [
          rule(
            'AgentTelemetryMissing',
            `absent_over_time(${q.anyOf(['telemetry.exporter.events', 'tracing.spans', 'tokens'])}[15m])`,
            '5m',
            'critical',
            'The gateway sends no metrics',
            'Nothing came for 15 minutes: let the gateway send to `millrace gateway doctor`.',
          ),
          rule(
            'AgentExporterFailing',
            q.happened('telemetry.exporter.events', { by: ['signal', 'reason'], where: ['<status>!="started"'] }),
            '0m',
            'warning',
            "The gateway's exporter has trouble",
            `{{ $labels.${q.label('signal')} }}: {{ $labels.${q.label('reason')} }}.`,
          ),
          rule(
            'AgentTelemetryDropped',
            q.happened('diagnostic.async_queue.dropped'),
            '0m',
            'warning',
            'The gateway drops diagnostic events',
            '{{ $value | humanize }} events in ten minutes did not reach the exporter.',
          ),
          rule(
            'AgentTracingDrops',
            q.happened('tracing.dropped_spans', { by: ['reason'] }),
            '0m',
            'warning',
            'The tracing plugin drops spans',
            `{{ $value | humanize }} spans in ten minutes.`,
          ),
          ...['spans', 'metric_points', 'log_records'].map(noun =>
            rule(
              `CollectorLoses${COLLECTOR_NAMES[noun]}`,
              collector(noun),
              '5m',
              'critical',
              'The collector cannot deliver',
              'Items are given up: {{ $value | humanize }} a second.',
            ),
          ),
          rule(
            'CollectorQueueFull',
            'max by (exporter) (otelcol_exporter_queue_size / otelcol_exporter_queue_capacity) > 0.8',
            '5m',
            'warning',
            "The collector's queue fills up",
            '{{ $labels.exporter }} is at {{ $value | humanizePercentage }}.',
          ),
        ],
      },
    ],
  }
}

const COLLECTOR_NAMES: Readonly<Record<string, string>> = {
  spans: 'Spans',
  metric_points: 'Metrics',
  log_records: 'Logs',
}

/** Rules on the gateway's security log records, for the ruler of Loki. */
export function lokiRules({ attributePrefix }: RulePrefixes): RuleFile {
  const of = (name: string) => `${attributePrefix}security_${name}`
  const count = (filter: string, by: string) =>
    `sum by (${by}) (count_over_time({service_name=~".+"} | ${filter} [10m]))`
  return {
    groups: [
      {
        name: 'agent-gateway-security',
        rules: [
          rule(
            'AgentAuthFailures',
            `${count(`${of('action')}="gateway.auth.failed"`, 'service_name')} > 5`,
            '0m',
            'warning',
            'Somebody fails to sign in',
            '{{ $value }} refused attempts in ten minutes at {{ $labels.service_name }}.',
          ),
          rule(
            'AgentToolDenied',
            `${count(`${of('action')}=~"tool.execution.blocked|exec.approval.denied"`, of('action'))} > 0`,
            '0m',
            'warning',
            'A tool was refused',
            `{{ $labels.${of('action')} }}.`,
          ),
          rule(
            'AgentSecuritySevere',
            `${count(`${of('severity')}=~"high|critical"`, of('action'))} > 0`,
            '0m',
            'critical',
            'A severe security event',
            `{{ $labels.${of('action')} }}.`,
          ),
        ],
      },
    ],
  }
}

function rule(
  alert: string,
  expr: string,
  pending: string,
  severity: 'critical' | 'warning',
  summary: string,
  description: string,
): AlertRule {
  return { alert, expr, for: pending, labels: { severity }, annotations: { summary, description } }
}
