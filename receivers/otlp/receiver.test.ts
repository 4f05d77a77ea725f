import { describe, expect, test } from 'vitest'
import { type Component, RetryableError } from '#core/component'
import { configure, decodePayload, until } from '#core/testing'
import { otlpReceiver } from './index.ts'
import { EXPORT, failure, REQUESTS, running, TRACES } from './testdata/running.ts'

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

  test('a receiver that is replaced leaves its ports open for its successor', async () => {
    const taken = await running()
    const [endpoint] = taken.addresses
    await taken.receiver.shutdown()
    const written = { protocols: { grpc: { endpoint } } }
    const first = await running({ written })
    await first.receiver.shutdown({ replaced: true })
    const call = first.call(EXPORT.traces, TRACES, endpoint)
    await using second = await running({ written })
    expect(await call).toEqual(Buffer.alloc(0))
    expect([first.sinks.traces.items, second.sinks.traces.items]).toEqual([0, 3])
    await Promise.all([first[Symbol.asyncDispose](), taken[Symbol.asyncDispose]()])
  })

  test('logs where it listens', async () => {
    await using it = await running()
    expect(it.context.logger.lines.slice(0, 2)).toMatchObject([
      { level: 'info', message: 'Starting GRPC server', fields: { endpoint: it.addresses[0] } },
      { level: 'info', message: 'Starting HTTP server', fields: { endpoint: it.addresses[1] } },
    ])
  })
})
