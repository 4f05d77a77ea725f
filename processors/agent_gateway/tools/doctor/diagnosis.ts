import {
  COMPLETE_SINCE,
  DEFAULT_ENDPOINT,
  EXPORTER_PLUGIN,
  GRANTS_EVENTS_SINCE,
  INSTALL_COMMAND,
  UNBUNDLED_SINCE,
} from '../gateway/facts.ts'
import { type GatewayVersion, isBefore } from '../gateway/version.ts'
import type { Arrivals, GatewaySignal } from './arrivals.ts'

/** Why nothing at all arrives, the likeliest first. */
export function whyNothing(address: string, version: GatewayVersion | undefined): readonly string[] {
  const bundled = version !== undefined && isBefore(version, UNBUNDLED_SINCE)
  const external = version !== undefined && !bundled
  return [
    'diagnostics.otel.enabled is not true, or the gateway was not restarted since',
    ...(external
      ? []
      : [
          `Up to 2026.4 the exporter comes with the gateway but disabled: plugins.entries["${EXPORTER_PLUGIN}"].enabled must be true`,
        ]),
    ...(bundled
      ? []
      : [
          `Since 2026.5 the exporter is not part of the gateway, which starts without it all the same: ${INSTALL_COMMAND}`,
        ]),
    ...(version === undefined || (external && isBefore(version, GRANTS_EVENTS_SINCE))
      ? [
          `2026.5.0 to 2026.5.3 give an installed exporter no events ("internal diagnostics capability unavailable"): update to ${GRANTS_EVENTS_SINCE} or newer`,
        ]
      : []),
    ...(version === undefined || isBefore(version, COMPLETE_SINCE)
      ? [
          `Before ${COMPLETE_SINCE} the exporter may not load ("Cannot find module '@opentelemetry/api'" in the gateway's log)`,
        ]
      : []),
    'plugins.allow is there and does not name the exporter, or plugins.deny does',
    'diagnostics.otel.protocol is "grpc", with which the exporter does not start',
    `diagnostics.otel.endpoint is not http://${address}: without one, ${DEFAULT_ENDPOINT} is used and nothing is said`,
    'The gateway runs in a container, where 127.0.0.1 is the container: use the address of this machine, and --endpoint 0.0.0.0:4318 here',
    'The exporter starts about a minute after the gateway, and metrics come once a minute unless flushIntervalMs says otherwise: listen longer with --timeout 5m',
    'OTEL_SDK_DISABLED or OPENCLAW_OTEL_PRELOADED is set for the gateway',
    'millrace gateway check ~/.openclaw/openclaw.json finds most of these',
  ]
}

/** Why one signal is missing while others came. */
export function whyMissing(signal: GatewaySignal): readonly string[] {
  return REASONS[signal]
}

const REASONS: Readonly<Record<GatewaySignal, readonly string[]>> = {
  traces: [
    'Nobody talked to the agent: an idle gateway has no spans. Send it a message while this listens',
    'diagnostics.otel.traces is false, or sampleRate is 0',
    'diagnostics.otel.tracesEndpoint or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT sends them elsewhere',
  ],
  metrics: [
    'They come once a minute unless diagnostics.otel.flushIntervalMs says otherwise: listen longer with --timeout 3m',
    'diagnostics.otel.metrics is false',
    'diagnostics.otel.endpoint ends in /v1/traces: before 2026.7.2 metrics and logs are posted there, too',
    'diagnostics.otel.metricsEndpoint or OTEL_EXPORTER_OTLP_METRICS_ENDPOINT sends them elsewhere',
  ],
  logs: [
    'diagnostics.otel.logs is not true: logs are off unless asked for',
    'diagnostics.otel.logsExporter is "stdout"',
    'Some releases before 2026.4 never send logs, though switched on: update',
    'diagnostics.otel.logsEndpoint or OTEL_EXPORTER_OTLP_LOGS_ENDPOINT sends them elsewhere',
  ],
}

/** Things to know about what did arrive. */
export function remarksOn(arrivals: Arrivals): readonly string[] {
  const { signals, orphans } = arrivals
  const named = (signal: GatewaySignal, end: string) =>
    [...signals[signal].names.keys()].some(name => name.endsWith(end))
  const remarks: string[] = []
  if (orphans > 0) {
    remarks.push(
      `${orphans} of ${signals.traces.items} spans point to a parent that did not arrive: the agent_gateway processor puts them right`,
    )
  }
  if (signals.traces.items > 0 && !named('traces', '.message.processed') && !named('traces', '.agent.turn')) {
    remarks.push(
      'No turn of a channel among the spans: calls of the HTTP API have no message.processed and no model.usage',
    )
  }
  if (signals.traces.items > 0 && !named('traces', '.agent.turn')) {
    remarks.push('No spans of the tracing plugin: without it tool calls and model calls are not grouped by turn')
  }
  if (signals.metrics.items > 0 && !named('metrics', 'tokens') && !named('metrics', '.tokens.total')) {
    remarks.push('No token counter: it comes with the first turn of a channel, not with calls of the HTTP API')
  }
  if (arrivals.temporalities.has('cumulative')) {
    remarks.push('Metrics are cumulative: for a backend that wants delta put cumulativetodelta into the pipeline')
  }
  if (signals.logs.items > 0 && arrivals.securityRecords === 0) {
    remarks.push('No security records among the logs: gateways before mid-2026 have none')
  }
  for (const { path } of arrivals.knocks.filter(({ path }) => /\/v1\/\w+\/v1\/\w+$/.test(path)).slice(0, 1)) {
    remarks.push(`A request came to ${path}: the endpoint must be the base URL, without /v1/...`)
  }
  return remarks
}

/** What the requests say of the gateway's version, as far as they do. */
export function guessVersion(arrivals: Arrivals): string | undefined {
  if (arrivals.formats.has('json') && [...arrivals.userAgents].some(agent => SDK.test(agent))) {
    return 'before 2026.2.24, which sends JSON'
  }
  const minors = [...arrivals.userAgents].flatMap(agent => SDK.exec(agent)?.[1] ?? []).map(Number)
  if (minors.length === 0) return undefined
  const newest = Math.max(...minors)
  if (newest >= 221) return '2026.7 or newer'
  if (newest > 215) return '2026.5 or 2026.6'
  return newest === 215 ? 'about 2026.4' : '2026.4 or older'
}

const SDK = /^OTel-OTLP-Exporter-JavaScript\/0\.(\d+)\./
