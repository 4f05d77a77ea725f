import { type BuildInfo, type Clock, type Logger, PermanentError, RetryableError } from '#core/component'
import { check, processEnvironment, type Schema, t } from '#core/config'
import { type Payload, toJsonBytes } from '#core/data'
import {
  codeOfHttp,
  createGrpcClient,
  createHttpClient,
  grpcClientFields,
  httpClientFields,
  isRetryableHttp,
  parseRetryAfter,
  userAgent,
} from '#core/net'
import { type OwnOtlpConfig, withScheme } from './export-schema.ts'
import type { OwnExporter } from './own-exporter.ts'
import type { OwnSignal } from './own-signals.ts'

export interface ExporterDeps {
  readonly build: BuildInfo
  readonly clock: Clock
  /** See `LossDeps`. */
  readonly logger: Logger
}

const METHOD = {
  traces: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  metrics: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
  logs: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
} as const satisfies Record<OwnSignal, string>

/**
 * Sends own telemetry of one signal by OTLP. Connections are made when they are needed.
 * @throws {Error} when certificates cannot be read
 */
export function openOtlpExporter(config: OwnOtlpConfig, signal: OwnSignal, deps: ExporterDeps): Promise<OwnExporter> {
  return config.protocol === 'grpc' ? overGrpc(config, signal, deps) : overHttp(config, signal, deps)
}

async function overGrpc(config: OwnOtlpConfig, signal: OwnSignal, deps: ExporterDeps): Promise<OwnExporter> {
  const url = new URL(withScheme(config.endpoint || 'http://localhost:4317', config.insecure))
  const tls = { ...tlsOf(config), insecure: url.protocol === 'http:' }
  const port = url.port || (url.protocol === 'http:' ? '80' : '443')
  const client = await createGrpcClient(
    {
      ...GRPC_DEFAULTS,
      endpoint: `${url.hostname}:${port}`,
      compression: config.compression,
      headers: headersOf(config),
      tls: { ...GRPC_DEFAULTS.tls, ...tls },
    },
    clientDeps(deps),
  )
  return {
    async export(payload, over) {
      await client.call(METHOD[signal], payload.pieces(), { timeout: config.timeout, signal: over })
    },
    close: () => client.close(),
  }
}

async function overHttp(config: OwnOtlpConfig, signal: OwnSignal, deps: ExporterDeps): Promise<OwnExporter> {
  const url = new URL(withScheme(config.endpoint || 'http://localhost:4318', config.insecure))
  if (url.pathname === '/') url.pathname = `/v1/${signal}`
  const json = config.protocol === 'http/json'
  const client = await createHttpClient(
    {
      ...HTTP_DEFAULTS,
      compression: config.compression,
      headers: headersOf(config),
      timeout: config.timeout,
      tls: { ...HTTP_DEFAULTS.tls, ...tlsOf(config) },
    },
    clientDeps(deps),
  )
  const headers = { 'content-type': json ? 'application/json' : 'application/x-protobuf' }
  return {
    async export(payload, over) {
      const reply = await client.post(url.href, piecesOf(payload, json), headers, { signal: over })
      if (reply.status >= 200 && reply.status <= 299) return
      const message = `request to ${url.origin}${url.pathname} responded with HTTP Status Code ${reply.status}`
      const code = codeOfHttp(reply.status)
      if (!isRetryableHttp(reply.status)) throw new PermanentError(message, { code })
      const after = parseRetryAfter([reply.headers['retry-after']].flat()[0], deps.clock.now())
      throw new RetryableError(message, after === undefined ? { code } : { code, after })
    },
    close: () => client.close(),
  }
}

function piecesOf(payload: Payload, json: boolean): readonly Buffer[] {
  return json ? [toJsonBytes(payload)] : payload.pieces()
}

function clientDeps({ build, clock, logger }: ExporterDeps) {
  return { clock, logger, userAgent: userAgent(build), environment: processEnvironment() }
}

function tlsOf({ certificate, client_certificate, client_key }: OwnOtlpConfig) {
  return { ca_file: certificate, cert_file: client_certificate, key_file: client_key }
}

/** Headers in `headers` win over those in `headers_list`. */
function headersOf({ headers, headers_list = '' }: OwnOtlpConfig): Readonly<Record<string, string>> {
  const listed = headers_list
    .split(',')
    .map(pair => pair.split('='))
    .filter(pair => pair.length > 1)
    .map(([name = '', ...value]) => [name.trim(), decodeURIComponent(value.join('=').trim())])
  return { ...Object.fromEntries(listed), ...headers }
}

const GRPC_DEFAULTS = defaultsOf(t.section(grpcClientFields()))
const HTTP_DEFAULTS = defaultsOf(t.section(httpClientFields()))

function defaultsOf<T>(section: Schema<T>): T {
  const checked = check(section, undefined, [])
  if ('value' in checked) return checked.value as T
  throw new Error('a client section without defaults')
}
