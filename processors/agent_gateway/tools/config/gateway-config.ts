import {
  CAPTURE_CONTENT,
  CONVERSATION_ACCESS,
  EXPORTER_PLUGIN,
  GRANTS_EVENTS_SINCE,
  GUARDS_CONVERSATIONS_SINCE,
  INSTALL_COMMAND,
  isAvailable,
  METRIC_NAME_PREFIX,
  UNBUNDLED_SINCE,
} from '../gateway/facts.ts'
import { type GatewayVersion, isBefore } from '../gateway/version.ts'
import { BACKEND_STYLES, type BackendStyle } from './backend-style.ts'

/** What a configuration is wanted for. */
export interface GatewayConfigRequest {
  readonly style: BackendStyle
  readonly version: GatewayVersion
  /** Send to a collector on this machine, which sends to the backend. */
  readonly collector: boolean
  readonly endpoint?: string
  readonly serviceName: string
  /** With its separator, for example `acme.`. */
  readonly prefix?: string
  readonly logs?: boolean
  readonly captureContent: boolean
  /** The tracing plugin's folder and id. */
  readonly plugin?: { readonly path: string; readonly id: string }
  /** Lists that the configuration has already and that a merge would replace. */
  readonly existing: { readonly allow: readonly string[]; readonly paths: readonly string[] }
}

/** What to put into the gateway's configuration, and what else there is to do and to know. */
export interface GatewayConfig {
  readonly json: object
  /** Variables that the gateway's environment needs, with what they hold. */
  readonly variables: Readonly<Record<string, string>>
  /** Commands to run before the restart. */
  readonly commands: readonly string[]
  readonly notes: readonly string[]
}

const LOCAL = BACKEND_STYLES[0]!

/** Writes the gateway's configuration. Plugin entries have no `config`: the gateway refuses it. */
export function gatewayConfig(request: GatewayConfigRequest): GatewayConfig {
  const { style, version, collector, prefix } = request
  const direct: BackendStyle = collector ? { ...LOCAL, logs: style.logs, metrics: style.metrics } : style
  const notes: string[] = []
  const otel = {
    enabled: true,
    endpoint: request.endpoint ?? direct.endpoint,
    protocol: 'http/protobuf',
    ...(Object.keys(direct.headers).length > 0 && { headers: direct.headers }),
    serviceName: request.serviceName,
    ...(prefix !== undefined && prefixed(prefix, version, notes)),
    traces: true,
    metrics: direct.metrics,
    ...((request.logs ?? direct.logs) && { logs: true }),
    ...(request.captureContent && content(version, notes)),
  }
  if (direct.name !== LOCAL.name) {
    notes.push(
      'Straight from the gateway spans arrive unconnected, run durations twice and replies as log text: with --collector they are put right on the way',
    )
  }
  if (direct.delta) {
    notes.push(
      'The backend takes metrics with delta temporality only, and the gateway sends cumulative: with --collector they are converted on the way',
    )
  }
  const json = { diagnostics: { enabled: true, otel }, plugins: plugins(request, notes) }
  const bundled = isBefore(version, UNBUNDLED_SINCE)
  if (!bundled && isBefore(version, GRANTS_EVENTS_SINCE)) {
    notes.push(
      `${version.text} gives no events to an exporter that was installed: update to ${GRANTS_EVENTS_SINCE} or newer`,
    )
  }
  const variables = Object.fromEntries(
    Object.entries(direct.variables).filter(([name]) => JSON.stringify(otel).includes(`{${name}}`)),
  )
  return { json, variables, commands: bundled ? [] : [INSTALL_COMMAND], notes }
}

function prefixed(prefix: string, version: GatewayVersion, notes: string[]): { metricNamePrefix?: string } {
  const bare = prefix.replace(/[._/-]$/, '')
  if (isAvailable(version, METRIC_NAME_PREFIX) === 'yes') {
    notes.push(
      `Spans keep their names; tell the collector of the metrics': \`metric_prefix: ${bare}\` under agent_gateway`,
    )
    return { metricNamePrefix: prefix }
  }
  notes.push(
    `${version.text} cannot rename its metrics; the collector can: \`rename_prefix: ${bare}\` under agent_gateway`,
  )
  return {}
}

function content(version: GatewayVersion, notes: string[]): { captureContent?: true } {
  if (isAvailable(version, CAPTURE_CONTENT) === 'yes') return { captureContent: true }
  notes.push(`${version.text} cannot send the content of messages`)
  return {}
}

function plugins({ version, plugin, existing }: GatewayConfigRequest, notes: string[]): object {
  const ids = [EXPORTER_PLUGIN, ...(plugin === undefined ? [] : [plugin.id])]
  const entries: Record<string, object> = { [EXPORTER_PLUGIN]: { enabled: true } }
  if (plugin !== undefined) entries[plugin.id] = { enabled: true, ...access(version, notes) }
  if (existing.allow.length === 0) {
    notes.push(
      `If your configuration has plugins.allow, add ${ids.map(id => `"${id}"`).join(' and ')} to it; do not begin one for this, since it keeps every plugin out that it does not name, channels among them`,
    )
  }
  return {
    ...(existing.allow.length > 0 && { allow: [...new Set([...existing.allow, ...ids])] }),
    ...(plugin !== undefined && { load: { paths: [...new Set([...existing.paths, plugin.path])] } }),
    entries,
  }
}

function access(version: GatewayVersion, notes: string[]): object {
  if (isAvailable(version, CONVERSATION_ACCESS) === 'yes') return { hooks: { allowConversationAccess: true } }
  if (!isBefore(version, GUARDS_CONVERSATIONS_SINCE)) {
    notes.push(
      `${version.text} keeps conversation hooks from plugins and cannot allow them: update, or the plugin sees no turns`,
    )
  }
  return {}
}
