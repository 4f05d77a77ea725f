/** A running receiver, its sinks, and clients that are not ours. */
import * as grpc from '@grpc/grpc-js'
import type { Consumers } from '#core/component'
import type { Signal } from '#core/data'
import { configure, encodeOtlp, Sink, TestHost, testContext } from '#core/testing'
import { otlpReceiver } from '../index.ts'
import type { OtlpReceiver } from '../receiver.ts'

export const TRACES = encodeOtlp('traces', {
  resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }] }],
})
export const EXPORT = {
  traces: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  metrics: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
  logs: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
  profiles: '/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export',
}
export const REQUESTS: { readonly [S in Signal]: Buffer } = {
  traces: TRACES,
  metrics: encodeOtlp('metrics', {
    resourceMetrics: [
      { scopeMetrics: [{ metrics: [{ name: 'm', gauge: { dataPoints: [{ asDouble: 1 }, { asDouble: 2 }] } }] }] },
    ],
  }),
  logs: encodeOtlp('logs', { resourceLogs: [{ scopeLogs: [{ logRecords: [{ severityText: 'INFO' }] }] }] }),
  profiles: Buffer.alloc(0),
}

interface Options {
  readonly written?: object
  readonly signals?: readonly Signal[]
  readonly extensions?: ConstructorParameters<typeof TestHost>[0]
}

/** A running receiver on free ports, with a sink for each signal. */
export async function running({ written, signals = ['traces', 'metrics', 'logs'], extensions = {} }: Options = {}) {
  const any = { endpoint: '127.0.0.1:0' }
  const config = configure(otlpReceiver.config, written ?? { protocols: { grpc: any, http: any } })
  const context = testContext({ id: 'otlp', kind: 'receiver', signals })
  const sinks = Object.fromEntries(signals.map(signal => [signal, new Sink()])) as { readonly [S in Signal]: Sink }
  const receiver = otlpReceiver.create(config, sinks as unknown as Consumers, context) as OtlpReceiver
  await receiver.start(new TestHost(extensions))
  const [first = '', second = ''] = receiver.addresses
  const clients: grpc.Client[] = []
  return {
    receiver,
    context,
    sinks,
    addresses: receiver.addresses,
    /** Posts to the HTTP port; `path` may begin with the other address. */
    async post(
      path: string,
      body: Buffer | string,
      type = 'application/x-protobuf',
      more: Record<string, string> = {},
    ) {
      const url = path.startsWith('/') ? `http://${second || first}${path}` : `http://${path}`
      const answer = await fetch(url, {
        method: 'POST',
        body: new Uint8Array(Buffer.from(body)),
        headers: { 'content-type': type, ...more },
      })
      return {
        status: answer.status,
        type: answer.headers.get('content-type'),
        headers: answer.headers,
        body: Buffer.from(await answer.arrayBuffer()),
      }
    },
    /** Calls the gRPC port, or another address. */
    call(path: string, body: Buffer, address = first): Promise<Buffer> {
      const client = new grpc.Client(address, grpc.credentials.createInsecure())
      clients.push(client)
      const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
      const identity = (bytes: Buffer) => bytes
      client.makeUnaryRequest(path, identity, identity, body, (error, answer) =>
        error === null ? resolve(answer!) : reject(error),
      )
      return promise
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.close()
      await receiver.shutdown()
    },
  }
}

/** Code and text of a call that fails. */
export const failure = (call: Promise<Buffer>) =>
  call.then(
    () => undefined,
    (error: grpc.ServiceError) => ({ code: error.code, details: error.details }),
  )
