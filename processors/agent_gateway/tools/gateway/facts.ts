/**
 * What is known of the gateway, by version. Where the release that brought a change is not known, the versions between
 * the last without and the first with it are unsure.
 * @module
 */
import { type GatewayVersion, isBefore } from './version.ts'

/** Older gateways are not supported. */
export const OLDEST_VERSION = '2026.2.0'
/** The newest release that the rules were checked against; newer ones are judged like it. */
export const LATEST_VERSION = '2026.9.6'

/** The id of the built-in exporter's plugin. */
export const EXPORTER_PLUGIN = 'diagnostics-otel'
/** The first release whose package does not contain the exporter. */
export const UNBUNDLED_SINCE = '2026.5.0'
export const INSTALL_COMMAND = `openclaw plugins install clawhub:@openclaw/${EXPORTER_PLUGIN}`

/** Where the exporter sends when no endpoint is set. */
export const DEFAULT_ENDPOINT = 'http://localhost:4318'
/** What the gateway puts before the names of its metrics, unless `metricNamePrefix` says otherwise. */
export const DEFAULT_PREFIX = 'openclaw.'

/** Plugins that build traces out of hooks, and whose configuration schema is empty and strict. */
export const TRACING_PLUGINS: readonly string[] = ['millrace-tracing', 'otel-observability']

/** Releases before this post metrics and logs to `/v1/traces` when that is how a shared endpoint ends. */
export const SWAPS_SIGNAL_PATHS_SINCE = '2026.7.2'
/** Releases before this post OTLP as JSON. */
export const PROTOBUF_SINCE = '2026.2.24'
/** Releases before this may lack the packages that the bundled exporter needs. */
export const COMPLETE_SINCE = '2026.2.27'
/** From here to below {@link GRANTS_EVENTS_SINCE} an exporter that was installed is given no events. */
export const GRANTS_EVENTS_SINCE = '2026.5.4'
/** From here on the schema refuses `grpc`; before, the exporter only does not start with it. */
export const SCHEMA_REFUSES_GRPC_SINCE = '2026.7.0'
/** From here on most hooks of which a trace is made are kept from plugins without `hooks.allowConversationAccess`. */
export const GUARDS_CONVERSATIONS_SINCE = '2026.4.23'
/** When that key came. */
export const CONVERSATION_ACCESS: Availability = { came: ['2026.4.24', '2026.4.24'] }
/** When `diagnostics.otel.metricNamePrefix` came. */
export const METRIC_NAME_PREFIX: Availability = { came: ['2026.8.0', '2026.9.0'] }
/** When `diagnostics.otel.captureContent` came. */
export const CAPTURE_CONTENT: Availability = { came: ['2026.4.1', '2026.4.24'] }
/** When the endpoint of each signal came. */
export const SIGNAL_ENDPOINTS: Availability = { came: ['2026.4.24', '2026.4.25'] }

/** When something is available. In each pair, before the first version surely not changed yet, from the second on surely changed. */
export interface Availability {
  readonly came?: readonly [unsure: string, sure: string]
  readonly went?: readonly [unsure: string, sure: string]
}

/** Whether something is available in `version`. */
export function isAvailable(version: GatewayVersion, { came, went }: Availability): 'yes' | 'no' | 'unsure' {
  const arrived = came === undefined ? 'yes' : passed(version, came)
  const left = went === undefined ? 'no' : passed(version, went)
  if (arrived === 'no' || left === 'yes') return 'no'
  return arrived === 'unsure' || left === 'unsure' ? 'unsure' : 'yes'
}

function passed(version: GatewayVersion, [unsure, sure]: readonly [string, string]): 'yes' | 'no' | 'unsure' {
  if (isBefore(version, unsure)) return 'no'
  return isBefore(version, sure) ? 'unsure' : 'yes'
}
