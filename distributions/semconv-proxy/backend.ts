import { type Logger, PermanentError, Refusal, systemClock } from '#core/component'
import { check, fromPlain, type Schema, t } from '#core/config'
import { createGrpcClient, createHttpClient, grpcClientFields, httpClientFields } from '#core/net'
import type { Settings } from './options.ts'

/** Where everything goes. */
export interface Backend {
  readonly protocol: 'grpc' | 'http'
  /** `host:port`. */
  readonly address: string
  readonly secure: boolean
}

/** Milliseconds that a backend has to show what it speaks. */
const PATIENCE = 2_000
const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export'

/** The backend that the settings name, asking it what it speaks where they leave that open. */
export async function findBackend(settings: Settings): Promise<Backend> {
  const [, scheme, address = ''] = /^(?:(https?):\/\/)?(.*?)\/*$/.exec(settings['backend-endpoint'])!
  const secure = scheme === 'https'
  const wanted = settings['backend-protocol']
  if (wanted === 'grpc' || wanted === 'http') return { protocol: wanted, address, secure }
  return { protocol: await ask(address, secure, settings), address, secure }
}

/** TLS of the connection to a backend, as exporters are configured. */
export function tlsOf(settings: Settings, secure: boolean): object {
  return {
    insecure: !secure,
    insecure_skip_verify: settings['backend-insecure'],
    ca_file: settings['backend-ca-file'],
    cert_file: settings['backend-cert-file'],
    key_file: settings['backend-key-file'],
    server_name_override: settings['backend-server-name'],
  }
}

/** gRPC when it answers a call, HTTP when it answers a request, and what its port suggests when it answers neither. */
async function ask(address: string, secure: boolean, settings: Settings): Promise<'grpc' | 'http'> {
  if (await speaksGrpc(address, secure, settings)) return 'grpc'
  if (await speaksHttp(address, secure, settings)) return 'http'
  return address.endsWith(':4318') ? 'http' : 'grpc'
}

const DEPS = { clock: systemClock, userAgent: 'semconv-proxy' }

async function speaksGrpc(address: string, secure: boolean, settings: Settings): Promise<boolean> {
  const endpoint = `${secure ? 'https' : 'http'}://${address}`
  const config = checked(t.section(grpcClientFields()), { endpoint, tls: tlsOf(settings, secure) })
  const client = await createGrpcClient(config, { ...DEPS, logger: SILENT })
  try {
    await client.call(EXPORT, [Buffer.alloc(0)], { timeout: PATIENCE })
    return true
  } catch (error) {
    // Without a connection of HTTP/2 a call is unavailable; any other answer came over one.
    return (
      error instanceof Refusal && (error instanceof PermanentError || error.code === undefined) && !refusedByHttp(error)
    )
  } finally {
    await client.close()
  }
}

/** An HTTP server that answers calls, but not as gRPC does. */
function refusedByHttp(error: Error): boolean {
  return /HTTP status|content-type/i.test(error.message)
}

async function speaksHttp(address: string, secure: boolean, settings: Settings): Promise<boolean> {
  const config = checked(t.section(httpClientFields()), { tls: tlsOf(settings, secure) })
  const client = await createHttpClient(config, { ...DEPS, logger: SILENT })
  try {
    const url = `${secure ? 'https' : 'http'}://${address}/v1/traces`
    await client.post(url, [], { 'content-type': 'application/x-protobuf' }, { timeout: PATIENCE })
    return true
  } catch {
    return false
  } finally {
    await client.close()
  }
}

function checked<C>(schema: Schema<C>, written: object): C {
  const result = check(schema, fromPlain(written))
  if (result.faults !== undefined) throw new Error(result.faults.map(({ message }) => message).join(', '))
  return result.value
}

const SILENT: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  enabled: () => false,
  with: () => SILENT,
}
