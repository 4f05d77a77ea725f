import { type Clock, type Logger, systemClock } from '#core/component'
import { check, fromPlain, t } from '#core/config'
import { admit, admitJson, Malformed } from '#core/data'
import { type HttpAnswer, type HttpRequest, httpServerFields, httpSettings, openServer } from '#core/net'
import { Arrivals, type GatewaySignal, SIGNALS } from './arrivals.ts'

/** How long and for what to listen. */
export interface ListenRequest {
  /** `host:port`. */
  readonly endpoint: string
  /** Milliseconds. */
  readonly timeout: number
  /** Listening ends as soon as all of these have come. */
  readonly signals: readonly GatewaySignal[]
  /** Ends listening early. */
  readonly signal: AbortSignal
  readonly clock: Clock
  /** Called once, with the real address. */
  onListening(address: string): void
  /** Called when the first items of a signal have come. */
  onFirst(signal: GatewaySignal, items: number): void
}

/**
 * Takes OTLP/HTTP in and remembers what came, until all has come that was wanted, the time is up or `signal` is aborted.
 * @throws {Error} when the address cannot be listened on
 */
export async function listenForGateway(request: ListenRequest): Promise<Arrivals> {
  const arrivals = new Arrivals()
  const ended = new AbortController()
  const config = check(t.section(httpServerFields({ endpoint: request.endpoint })), fromPlain({}))
  if (config.faults !== undefined) throw new Error(config.faults.map(({ message }) => message).join(', '))
  const server = await openServer({
    endpoint: request.endpoint,
    http: {
      settings: httpSettings(config.value),
      async handle(http) {
        const answer = await take(http, arrivals, request)
        if (arrivals.has(request.signals)) ended.abort()
        return answer
      },
    },
    logger: SILENT,
    clock: systemClock,
  })
  try {
    request.onListening(server.address)
    await request.clock.sleep(request.timeout, AbortSignal.any([ended.signal, request.signal]))
  } catch (error) {
    if (!ended.signal.aborted && !request.signal.aborted) throw error
  } finally {
    await server.close(GRACE)
  }
  return arrivals
}

/** Milliseconds that requests under way are waited for at the end. */
const GRACE = 2000

const PATHS = new Map<string, GatewaySignal>(SIGNALS.map(signal => [`/v1/${signal}`, signal]))

async function take(http: HttpRequest, arrivals: Arrivals, { onFirst }: ListenRequest): Promise<HttpAnswer> {
  const signal = PATHS.get(http.path)
  const refuse = (status: number, why: string): HttpAnswer => {
    if (arrivals.knocks.length < 100) arrivals.knocks.push({ method: http.method, path: http.path, status, why })
    return {
      status,
      headers: { 'content-type': 'text/plain', ...(status === 405 && { allow: 'POST' }) },
      body: `${why}\n`,
    }
  }
  if (signal === undefined) return refuse(404, 'not a path of OTLP/HTTP')
  if (http.method !== 'POST') return refuse(405, 'reachable; telemetry comes by POST')
  const type = http.header('content-type')?.replace(/;.*/s, '').trim().toLowerCase()
  const format = type === 'application/json' ? 'json' : type === 'application/x-protobuf' ? 'protobuf' : undefined
  if (format === undefined) return refuse(415, 'neither application/x-protobuf nor application/json')
  const body = await http.body()
  try {
    const { payload } = (format === 'json' ? admitJson : admit)(signal, body)
    const first = arrivals.signals[signal].items === 0 && payload.items > 0
    const authorized = http.header('authorization') !== undefined
    arrivals.add(payload, { format, userAgent: http.header('user-agent'), authorized })
    if (first) onFirst(signal, payload.items)
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    return refuse(400, `not OTLP ${signal}: ${error.message}`)
  }
  return { status: 200, headers: { 'content-type': type! }, body: format === 'json' ? '{"partialSuccess":{}}' : '' }
}

const SILENT: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  enabled: () => false,
  with: () => SILENT,
}
