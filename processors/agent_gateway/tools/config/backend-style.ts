/** How a kind of backend wants telemetry, as far as the gateway can be told. */
export interface BackendStyle {
  readonly name: string
  readonly aliases: readonly string[]
  readonly description: string
  /** Base URL, with variables in the gateway's notation. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly metrics: boolean
  readonly logs: boolean
  /** What the token must be allowed to do. */
  readonly scopes: readonly string[]
  /** Whether metrics must be delta, which the gateway cannot send. */
  readonly delta: boolean
  /** What each variable holds. */
  readonly variables: Readonly<Record<string, string>>
  /** The collector's configuration for it. */
  readonly collectorConfig: string
}

const HOST = 'host of the backend'

/** Every style, the first of which is the default. */
export const BACKEND_STYLES: readonly BackendStyle[] = [
  {
    name: 'collector',
    aliases: ['local'],
    description: 'a collector on this machine',
    endpoint: 'http://127.0.0.1:4318',
    headers: {},
    metrics: true,
    logs: true,
    scopes: [],
    delta: false,
    variables: {},
    collectorConfig: 'config/agent-gateway.yaml',
  },
  {
    name: 'token',
    aliases: ['dynatrace'],
    description: 'a token in `Authorization: Api-Token`, delta metrics',
    endpoint: `https://\${BACKEND}/api/v2/otlp`,
    headers: { Authorization: `Api-Token \${BACKEND_TOKEN}` },
    metrics: true,
    logs: true,
    scopes: ['metrics.ingest', 'logs.ingest', 'openTelemetryTrace.ingest'],
    delta: true,
    variables: { BACKEND: `${HOST}, for example abc12345.live.example.com`, BACKEND_TOKEN: 'the token' },
    collectorConfig: 'config/agent-gateway-token.yaml',
  },
  {
    name: 'basic',
    aliases: ['grafana'],
    description: 'instance and key in `Authorization: Basic`, no logs',
    endpoint: `https://\${BACKEND}/otlp`,
    headers: { Authorization: `Basic \${BACKEND_BASIC}` },
    metrics: true,
    logs: false,
    scopes: ['metrics:write', 'traces:write'],
    delta: false,
    variables: { BACKEND: HOST, BACKEND_BASIC: '<instance id>:<API key> in base64' },
    collectorConfig: 'config/agent-gateway-basic.yaml',
  },
  {
    name: 'llm-traces',
    aliases: ['langfuse'],
    description: 'traces only, keys in `Authorization: Basic`',
    endpoint: `https://\${BACKEND}/api/public/otel`,
    headers: { Authorization: `Basic \${BACKEND_BASIC}` },
    metrics: false,
    logs: false,
    scopes: [],
    delta: false,
    variables: { BACKEND: HOST, BACKEND_BASIC: '<public key>:<secret key> in base64' },
    collectorConfig: 'config/agent-gateway-llm-traces.yaml',
  },
  {
    name: 'otlp',
    aliases: [],
    description: 'any OTLP/HTTP server without credentials',
    endpoint: `https://\${BACKEND}`,
    headers: {},
    metrics: true,
    logs: true,
    scopes: [],
    delta: false,
    variables: { BACKEND: HOST },
    collectorConfig: 'config/agent-gateway.yaml',
  },
]

/** The style of that name or alias. */
export function backendStyle(name: string): BackendStyle | undefined {
  return BACKEND_STYLES.find(style => style.name === name || style.aliases.includes(name))
}
