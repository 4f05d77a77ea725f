/** A backend that takes own telemetry over gRPC and HTTP on one port of loopback. */
import { type Metadata, PermanentError, systemClock } from '#core/component'
import { t } from '#core/config'
import { admitJson, type Payload, type Signal } from '#core/data'
import { grpcServerFields, grpcSettings, type HttpAnswer, httpServerFields, httpSettings, openServer } from '#core/net'
import { configure, decodeOtlp, type Otlp, RecordingLogger } from '#core/testing'

export interface BackendRequest {
  readonly over: 'grpc' | 'http'
  readonly path: string
  readonly headers: Metadata
  readonly signal: Signal
  /** As protobufjs reads it. */
  readonly body: Otlp
}

export interface Backend extends AsyncDisposable {
  /** `127.0.0.1:port` */
  readonly endpoint: string
  readonly requests: readonly BackendRequest[]
  /** Attempts, refused ones included. */
  readonly attempts: number
  /** From now on HTTP requests are answered with this status, or not at all. */
  answer(status: number | 'never'): void
}

const SIGNALS = { trace: 'traces', metrics: 'metrics', logs: 'logs' } as const

export async function openBackend(): Promise<Backend> {
  const requests: BackendRequest[] = []
  let status: number | 'never' = 200
  let attempts = 0
  const http = configure(t.section(httpServerFields({ endpoint: '127.0.0.1:0' })), { include_metadata: true })
  const grpc = configure(t.section(grpcServerFields({ endpoint: '127.0.0.1:0' })), { include_metadata: true })
  const methods = Object.entries(SIGNALS).map(([word, signal]) => {
    const service = `${word[0]?.toUpperCase()}${word.slice(1)}Service`
    const path = `/opentelemetry.proto.collector.${word}.v1.${service}/Export`
    return [
      path,
      async (message: Buffer, { metadata }: { metadata: Metadata }) => {
        attempts++
        requests.push({ over: 'grpc', path, headers: metadata, signal, body: decodeOtlp(signal, message) })
        return Buffer.alloc(0)
      },
    ] as const
  })
  const server = await openServer({
    endpoint: '127.0.0.1:0',
    owner: 'backend',
    logger: new RecordingLogger(),
    clock: systemClock,
    grpc: { settings: grpcSettings(grpc), methods: new Map(methods) },
    http: {
      settings: httpSettings(http),
      async handle(request): Promise<HttpAnswer> {
        attempts++
        const bytes = await request.body()
        if (status === 'never') return new Promise(() => {})
        if (status !== 200) return { status }
        const signal = (['traces', 'metrics', 'logs'] as const).find(one => request.path.includes(one))
        if (signal === undefined) throw new PermanentError(`nothing is served at ${request.path}`)
        const json = request.header('content-type') === 'application/json'
        const read: Payload | undefined = json ? admitJson(signal, bytes).payload : undefined
        const body = decodeOtlp(signal, read?.flat() ?? bytes)
        requests.push({ over: 'http', path: request.path, headers: request.context.metadata, signal, body })
        return { status: 200 }
      },
    },
  })
  return {
    endpoint: server.address,
    requests,
    get attempts() {
      return attempts
    },
    answer(code) {
      status = code
    },
    [Symbol.asyncDispose]: () => server.close(0),
  }
}
