import { describe, expect, test } from 'vitest'
import { Code, PartialError, PermanentError, RetryableError } from '#core/component'
import { decodeStatus } from '#core/net'
import { encodeOtlp } from '#core/testing'
import { EXPORT, failure, running, TRACES } from './testdata/running.ts'

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
