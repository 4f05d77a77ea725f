import * as grpc from '@grpc/grpc-js'
import { describe, expect, test } from 'vitest'
import { Code, type Component, type Consumers, PartialError, PermanentError, RetryableError } from '#core/component'
import type { Signal } from '#core/data'
import { decodeStatus } from '#core/net'
import { configure, decodePayload, encodeOtlp, Sink, TestHost, testContext, until } from '#core/testing'
import { otlpReceiver } from './index.ts'
import type { OtlpReceiver } from './receiver.ts'

const TRACES = encodeOtlp('traces', {
  resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }] }],
})
const EXPORT = {
  traces: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  metrics: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
  logs: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
  profiles: '/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export',
}
const REQUESTS: { readonly [S in Signal]: Buffer } = {
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
async function running({ written, signals = ['traces', 'metrics', 'logs'], extensions = {} }: Options = {}) {
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

const failure = (call: Promise<Buffer>) =>
  call.then(
    () => undefined,
    (error: grpc.ServiceError) => ({ code: error.code, details: error.details }),
  )

describe('every signal', () => {
  test.each(['traces', 'metrics', 'logs'] as const)('%s arrive over gRPC and HTTP, byte for byte', async signal => {
    await using it = await running()
    expect(await it.call(EXPORT[signal], REQUESTS[signal])).toEqual(Buffer.alloc(0))
    const answer = await it.post(`/v1/${signal}`, REQUESTS[signal])
    expect([answer.status, answer.type, answer.body.length]).toEqual([200, 'application/x-protobuf', 0])
    const sink = it.sinks[signal]
    expect(sink.payloads.map(each => each.flat().equals(REQUESTS[signal]))).toEqual([true, true])
    expect(sink.payloads.map(each => each.signal)).toEqual([signal, signal])
  })

  test('profiles have their own path and service', async () => {
    await using it = await running({ signals: ['profiles'] })
    expect(await it.call(EXPORT.profiles, Buffer.alloc(0))).toEqual(Buffer.alloc(0))
    expect((await it.post('/v1development/profiles', '')).status).toBe(200)
  })

  test('a signal without pipeline is unknown', async () => {
    await using it = await running({ signals: ['logs'] })
    expect(await failure(it.call(EXPORT.traces, TRACES))).toEqual({
      code: 12,
      details: 'unknown service opentelemetry.proto.collector.trace.v1.TraceService',
    })
    expect(await it.post('/v1/traces', TRACES)).toMatchObject({ status: 404, type: 'text/plain' })
  })
})

describe('JSON', () => {
  const body = JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
        scopeSpans: [{ spans: [{ name: 'a', traceId: '5b8efff798038103d269b633813fc60c', unknown: 1, kind: 2 }] }],
      },
    ],
  })

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])(
    'is taken as %s',
    async type => {
      await using it = await running()
      const answer = await it.post('/v1/traces', body, type)
      expect([answer.status, answer.type, answer.body.toString()]).toEqual([
        200,
        'application/json',
        '{"partialSuccess":{}}',
      ])
      const [payload] = it.sinks.traces.payloads
      expect(decodePayload(payload!)).toMatchObject({
        resourceSpans: [
          {
            scopeSpans: [
              { spans: [{ name: 'a', kind: 2, traceId: Buffer.from('5b8efff798038103d269b633813fc60c', 'hex') }] },
            ],
          },
        ],
      })
    },
  )

  test('that is none is answered with a Status in JSON', async () => {
    await using it = await running()
    const answer = await it.post('/v1/traces', '{"resourceSpans":', 'application/json')
    expect([answer.status, answer.type]).toEqual([400, 'application/json'])
    expect(JSON.parse(answer.body.toString())).toMatchObject({ code: 3 })
  })
})

describe('refusals over HTTP', () => {
  test.each(['GET', 'PUT', 'DELETE'])('%s is 405', async method => {
    await using it = await running()
    const answer = await fetch(`http://${it.addresses[1]}/v1/traces`, { method })
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      405,
      'text/plain',
      '405 method not allowed, supported: [POST]',
    ])
  })

  test.each(['text/plain', 'application/xml', 'application/grpc-web', ''])('content type %j is 415', async type => {
    await using it = await running()
    const answer = await it.post('/v1/traces', TRACES, type)
    expect([answer.status, answer.type, answer.body.toString()]).toEqual([
      415,
      'text/plain',
      '415 unsupported media type, supported: [application/json, application/x-protobuf]',
    ])
  })

  test.each<[string, Buffer, Record<string, string>, RegExp]>([
    ['malformed protobuf', Buffer.from([0x0a, 0x7f, 0x01]), {}, /^Malformed OTLP message/],
    ['unknown encoding', TRACES, { 'content-encoding': 'br' }, /^unsupported Content-Encoding: br$/],
    ['bad gzip', TRACES, { 'content-encoding': 'gzip' }, /gzip/],
    ['too large', Buffer.alloc(21 << 20), {}, /too large/],
  ])('%s is 400 with a Status', async (_, body, headers, text) => {
    await using it = await running()
    const answer = await it.post('/v1/traces', body, 'application/x-protobuf', headers)
    expect([answer.status, answer.type]).toEqual([400, 'application/x-protobuf'])
    const status = decodeStatus(answer.body)
    expect(status?.code).toBe(3)
    expect(status?.message).toMatch(text)
    const json = await it.post('/v1/traces', '[', 'application/json', headers)
    expect(JSON.parse(json.body.toString()).code).toBe(3)
    expect(it.sinks.traces.calls).toBe(0)
  })
})

describe('what the pipeline says', () => {
  test.each<[string, Error, number, number, string | null]>([
    ['anything', new Error('no'), 14, 503, null],
    ['retryable', new RetryableError('no'), 14, 503, null],
    ['retryable, later', new RetryableError('no', { after: 3700 }), 14, 503, '3'],
    ['permanent', new PermanentError('no'), 13, 500, null],
    ['a backend said 3', new PermanentError('no', { code: Code.INVALID_ARGUMENT }), 3, 400, null],
    ['a backend said 16', new PermanentError('no', { code: Code.UNAUTHENTICATED }), 16, 401, null],
    ['a backend said 7', new PermanentError('no', { code: Code.PERMISSION_DENIED }), 7, 403, null],
    ['a backend said 8', new RetryableError('no', { code: Code.RESOURCE_EXHAUSTED, after: 1000 }), 8, 429, '1'],
    ['a backend said 8 for good', new PermanentError('no', { code: Code.RESOURCE_EXHAUSTED }), 8, 429, null],
    ['a backend said 4', new RetryableError('no', { code: Code.DEADLINE_EXCEEDED }), 4, 503, null],
    ['a backend said 2', new PermanentError('no', { code: Code.UNKNOWN }), 2, 500, null],
  ])('%s is told to the sender', async (_, error, code, status, retryAfter) => {
    await using it = await running()
    it.sinks.traces.refuse(error)
    expect(await failure(it.call(EXPORT.traces, TRACES))).toEqual({ code, details: 'no' })
    const proto = await it.post('/v1/traces', TRACES)
    expect([proto.status, proto.headers.get('retry-after')]).toEqual([status, retryAfter])
    expect(decodeStatus(proto.body)).toMatchObject({ code, message: 'no' })
    const span = '{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"a"}]}]}]}'
    const json = await it.post('/v1/traces', span, 'application/json')
    expect([json.status, JSON.parse(json.body.toString())]).toMatchObject([status, { code, message: 'no' }])
  })

  test('a partial success is a success that names what was rejected', async () => {
    await using it = await running()
    it.sinks.traces.refuse(new PartialError(2, 'too old'))
    const expected = Buffer.from([0x0a, 0x0b, 0x08, 0x02, 0x12, 0x07, ...Buffer.from('too old')])
    expect(await it.call(EXPORT.traces, TRACES)).toEqual(expected)
    expect((await it.post('/v1/traces', TRACES)).body).toEqual(expected)
    const body = '{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"a"}]}]}]}'
    const json = await it.post('/v1/traces', body, 'application/json')
    expect(JSON.parse(json.body.toString())).toEqual({
      partialSuccess: { rejectedSpans: '2', errorMessage: 'too old' },
    })
    const { meter } = it.context
    expect(meter.value('otelcol_receiver_accepted_spans', { transport: 'grpc' })).toBe(1)
    expect(meter.value('otelcol_receiver_refused_spans', { transport: 'grpc' })).toBe(2)
  })

  test('an empty request succeeds without the pipeline', async () => {
    await using it = await running()
    it.sinks.traces.refuse()
    const empty = encodeOtlp('traces', { resourceSpans: [{ scopeSpans: [{}] }] })
    for (const body of [Buffer.alloc(0), empty]) {
      expect(await it.call(EXPORT.traces, body)).toEqual(Buffer.alloc(0))
      expect((await it.post('/v1/traces', body)).status).toBe(200)
    }
    expect((await it.post('/v1/traces', '{}', 'application/json')).status).toBe(200)
    expect(it.sinks.traces.calls).toBe(0)
  })
})

test('what was taken and refused is counted by transport', async () => {
  await using it = await running()
  await it.call(EXPORT.traces, TRACES)
  await it.post('/v1/traces', TRACES)
  await it.post('/v1/metrics', REQUESTS.metrics)
  await it.post('/v1/traces', 'rubbish')
  it.sinks.logs.refuse()
  await it.post('/v1/logs', REQUESTS.logs)
  expect(it.context.meter.snapshot()).toMatchObject({
    'otelcol_receiver_accepted_spans{transport="grpc"}': 3,
    'otelcol_receiver_accepted_spans{transport="http"}': 3,
    'otelcol_receiver_accepted_metric_points{transport="http"}': 2,
    'otelcol_receiver_refused_log_records{transport="http"}': 1,
    'otelcol_receiver_otlp_malformed_requests{transport="http"}': 1,
  })
})

describe('strings that are not UTF-8', () => {
  const bytes = Buffer.from(TRACES)
  bytes[bytes.indexOf('a')] = 0xff

  test('are repaired and counted', async () => {
    await using it = await running()
    await it.call(EXPORT.traces, bytes)
    expect(decodePayload(it.sinks.traces.payloads[0]!)).toMatchObject({
      resourceSpans: [{ scopeSpans: [{ spans: [{ name: '\ufffd' }, { name: 'b' }, { name: 'c' }] }] }],
    })
    expect(it.context.meter.value('otelcol_receiver_otlp_repaired_strings')).toBe(1)
  })

  test('are refused when told to', async () => {
    const any = { endpoint: '127.0.0.1:0' }
    await using it = await running({ written: { protocols: { grpc: any }, invalid_utf8: 'refuse' } })
    expect(await failure(it.call(EXPORT.traces, bytes))).toMatchObject({ code: 3 })
  })
})

describe('either protocol on either port', () => {
  test('is served', async () => {
    await using it = await running()
    const [first, second] = it.addresses
    expect((await it.post(`${first}/v1/traces`, TRACES)).status).toBe(200)
    expect(await it.call(EXPORT.traces, TRACES, second)).toEqual(Buffer.alloc(0))
    expect(it.sinks.traces.items).toBe(6)
  })

  test('is refused with a hint when switched off', async () => {
    const any = { endpoint: '127.0.0.1:0' }
    await using it = await running({ written: { protocols: { grpc: any, http: any }, either_protocol: false } })
    const [first, second] = it.addresses
    const answer = await it.post(`${first}/v1/traces`, TRACES)
    expect([answer.status, answer.body.toString()]).toEqual([400, 'this port speaks gRPC only\n'])
    expect(await failure(it.call(EXPORT.traces, TRACES, second))).toEqual({
      code: 12,
      details: 'this port speaks HTTP only',
    })
    expect(it.context.logger.messages('warn')).toContain('A client speaks HTTP/1.1 to a port that speaks gRPC only')
  })
})

describe('options', () => {
  const any = { endpoint: '127.0.0.1:0' }

  test('paths may be others, with or without a leading slash', async () => {
    const http = { ...any, traces_url_path: 'in/traces', logs_url_path: '/in/logs' }
    await using it = await running({ written: { protocols: { http } } })
    expect((await it.post('/in/traces', TRACES)).status).toBe(200)
    expect((await it.post('/in/logs?x=1', REQUESTS.logs)).status).toBe(200)
    expect((await it.post('/v1/metrics', REQUESTS.metrics)).status).toBe(200)
    expect((await it.post('/v1/traces', TRACES)).status).toBe(404)
  })

  test('no protocol is a fault', () => {
    const check = (written: object) => [...otlpReceiver.check!(configure(otlpReceiver.config, written))]
    expect(check({})).toEqual(['must specify at least one protocol when using the OTLP receiver'])
    expect(check({ protocols: { grpc: {} } })).toEqual([])
    expect(check({ protocols: { grpc: { max_recv_msg_size_mib: -1 } } })[0]).toMatch(
      /^protocols::grpc: invalid max_recv_msg_size_mib value, must be between 1 and \d+: -1$/,
    )
  })

  test('the defaults are the Collector’s', () => {
    const { protocols } = configure(otlpReceiver.config, { protocols: { grpc: {}, http: {} } })
    expect(protocols.grpc).toMatchObject({ endpoint: 'localhost:4317', read_buffer_size: 524_288, transport: 'tcp' })
    expect(protocols.http).toMatchObject({
      endpoint: 'localhost:4318',
      read_header_timeout: 0,
      write_timeout: 0,
      idle_timeout: 0,
      max_request_body_size: 20 << 20,
    })
  })

  test('authenticators and middlewares are found among the extensions', async () => {
    const written = { protocols: { http: { ...any, auth: { authenticator: 'basicauth' } } } }
    await expect(running({ written })).rejects.toThrow(
      'failed to resolve authenticator "basicauth": authenticator not found',
    )
    await expect(running({ written, extensions: { basicauth: {} } })).rejects.toThrow(
      'requested authenticator is not a server authenticator',
    )
    const limited = { protocols: { grpc: { ...any, middlewares: [{ id: 'memory_limiter' }] } } }
    await expect(running({ written: limited })).rejects.toThrow(
      'failed to resolve middleware "memory_limiter": middleware not found',
    )
    await expect(running({ written: limited, extensions: { memory_limiter: {} } })).rejects.toThrow(
      'requested extension is not a gRPC server middleware',
    )
    const limiter = { admit: () => new RetryableError('full', { after: 1000 }) }
    const extensions = { memory_limiter: limiter as Component }
    await using it = await running({ written: limited, extensions })
    expect(await failure(it.call(EXPORT.traces, TRACES))).toEqual({ code: 14, details: 'full' })
  })

  test('metadata reach the pipeline when told to', async () => {
    await using it = await running({ written: { protocols: { http: { ...any, include_metadata: true } } } })
    await it.post('/v1/traces', TRACES, 'application/x-protobuf', { 'X-Tenant': 'a' })
    expect(it.sinks.traces.contexts[0]!.metadata.get('x-tenant')).toEqual(['a'])
  })
})

describe('starting and stopping', () => {
  test('a port in use is named', async () => {
    await using it = await running()
    const written = { protocols: { grpc: { endpoint: '127.0.0.1:0' }, http: { endpoint: it.addresses[0]! } } }
    await expect(running({ written })).rejects.toThrow(`listen tcp ${it.addresses[0]}: bind: address already in use`)
  })

  test('what is under way at shutdown is answered', async () => {
    const it = await running()
    it.sinks.traces.hold()
    const call = it.call(EXPORT.traces, TRACES)
    const post = it.post('/v1/traces', TRACES)
    await until(() => it.sinks.traces.waiting === 2)
    const shutdown = it.receiver.shutdown()
    it.sinks.traces.release()
    expect(await call).toEqual(Buffer.alloc(0))
    expect((await post).status).toBe(200)
    await shutdown
    expect(it.sinks.traces.items).toBe(6)
    await it[Symbol.asyncDispose]()
  })

  test('logs where it listens', async () => {
    await using it = await running()
    expect(it.context.logger.lines.slice(0, 2)).toMatchObject([
      { level: 'info', message: 'Starting GRPC server', fields: { endpoint: it.addresses[0] } },
      { level: 'info', message: 'Starting HTTP server', fields: { endpoint: it.addresses[1] } },
    ])
  })
})
