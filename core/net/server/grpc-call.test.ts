import { once } from 'node:events'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import * as grpc from '@grpc/grpc-js'
import { describe, expect, test } from 'vitest'
import { Code, PermanentError, RetryableError } from '#core/component'
import { FakeClock, until } from '#core/testing'
import { decodeGrpcMessage, decodeStatus } from '../status-codec.ts'
import {
  data,
  FRAME,
  framePeer,
  GRPC_HEADERS,
  grpcPeer,
  h2Peer,
  headers,
  message,
  PREFACE,
  rst,
  testServer,
} from './testdata/harness.ts'

const HELLO = Buffer.from('hello')

describe('a call of grpc-js', () => {
  test('is answered, whatever the size', async () => {
    await using server = await testServer()
    using peer = grpcPeer(server.port)
    for (const size of [0, 1, 500, 16_384, 45_000, 450_000, 4 << 20]) {
      const bytes = Buffer.alloc(size, 'x')
      expect((await peer.call(bytes)).equals(bytes)).toBe(true)
    }
    expect(server.seen.map(each => each.bytes.length)).toEqual([0, 1, 500, 16_384, 45_000, 450_000, 4 << 20])
  })

  test('is answered among hundreds on one connection', async () => {
    await using server = await testServer()
    using peer = grpcPeer(server.port)
    const bodies = Array.from({ length: 300 }, (_, i) => Buffer.from(`message ${i}`))
    expect(await Promise.all(bodies.map(bytes => peer.call(bytes)))).toEqual(bodies)
  })

  test('may be compressed', async () => {
    await using server = await testServer()
    using peer = grpcPeer(server.port, { gzip: true })
    const bytes = Buffer.alloc(100_000, 'hello ')
    await peer.call(bytes)
    expect(server.seen[0]!.bytes.equals(bytes)).toBe(true)
  })

  test('has no trace of the message in a larger buffer', async () => {
    await using server = await testServer()
    using peer = grpcPeer(server.port)
    await peer.call(HELLO)
    expect(server.seen[0]!.bytes.buffer.byteLength).toBeLessThanOrEqual(2 * HELLO.length)
  })

  test.each<[string, object, RegExp]>([
    ['unknown service', { path: '/a.B/Call' }, /^12 UNIMPLEMENTED: unknown service a\.B$/],
    ['unknown method', { path: '/test.Service/Other' }, /^12 UNIMPLEMENTED: unknown method Other for service test\.S/],
    ['no method', { path: '/x' }, /^12 UNIMPLEMENTED: malformed method name: "\/x"$/],
  ])('to an %s is refused', async (_, options, error) => {
    await using server = await testServer()
    using peer = grpcPeer(server.port)
    expect((await peer.fail(HELLO, options)).message).toMatch(error)
    expect(server.seen).toEqual([])
  })

  test('larger than the limit is refused while it is still being sent, and the connection goes on', async () => {
    await using server = await testServer({ grpc: { max_recv_msg_size_mib: 1 } })
    using peer = grpcPeer(server.port, { channel: { 'grpc.max_send_message_length': -1 } })
    const error = await peer.fail(Buffer.alloc(20 << 20))
    expect(error.code).toBe(grpc.status.RESOURCE_EXHAUSTED)
    expect(error.details).toBe('grpc: received message larger than max (20971520 vs. 1048576)')
    expect(await peer.call(HELLO)).toEqual(HELLO)
  })

  test('larger than the limit only after decompression is refused', async () => {
    await using server = await testServer({ grpc: { max_recv_msg_size_mib: 1 } })
    using peer = grpcPeer(server.port, { gzip: true, channel: { 'grpc.max_send_message_length': -1 } })
    expect(await peer.fail(Buffer.alloc(50 << 20))).toMatchObject({
      code: grpc.status.RESOURCE_EXHAUSTED,
      details: 'grpc: received message after decompression larger than max 1048576',
    })
    expect((await peer.call(Buffer.alloc(1 << 20))).length).toBe(1 << 20)
  })

  test('is told the error of the handler, with its code and delay', async () => {
    let error: Error = new Error('no')
    await using server = await testServer({
      answer: async () => {
        throw error
      },
    })
    using peer = grpcPeer(server.port)
    expect(await peer.fail(HELLO)).toMatchObject({ code: 14, details: 'no' })
    error = new PermanentError('never')
    expect(await peer.fail(HELLO)).toMatchObject({ code: 13, details: 'never' })
    error = new PermanentError('bad', { code: Code.INVALID_ARGUMENT })
    expect(await peer.fail(HELLO)).toMatchObject({ code: 3, details: 'bad' })
    error = new RetryableError('später: 100 %\n', { after: 1500 })
    const told = await peer.fail(HELLO)
    expect(told).toMatchObject({ code: 14, details: 'später: 100 %\n' })
    const [details] = told.metadata.get('grpc-status-details-bin')
    expect(decodeStatus(details as Buffer)).toEqual({ code: 14, message: 'später: 100 %\n', retryAfter: 1500 })
    error = new Error('x'.repeat(100_000))
    expect(await peer.fail(HELLO)).toMatchObject({ code: 14, details: 'x'.repeat(2048) })
  })

  test('hands metadata to the pipeline only when told to', async () => {
    await using plain = await testServer()
    using first = grpcPeer(plain.port)
    await first.call(HELLO, { metadata: { tenant: 'a' } })
    expect([...plain.seen[0]!.context.metadata]).toEqual([])
    expect(plain.seen[0]!.context.clientAddress).toMatch(/^127\.0\.0\.1:\d+$/)

    await using server = await testServer({ grpc: { include_metadata: true } })
    using peer = grpcPeer(server.port)
    await peer.call(HELLO, { metadata: { tenant: 'a' } })
    const { metadata } = server.seen[0]!.context
    expect(metadata.get('tenant')).toEqual(['a'])
    expect(metadata.get('host')).toEqual([`127.0.0.1:${server.port}`])
    expect([...metadata.keys()].filter(name => /^(:|grpc-)/.test(name))).toEqual([])
  })
})

describe('deadlines and cancellation', () => {
  test('a call past its deadline is told so; the handler runs to its end', async () => {
    const clock = new FakeClock()
    const gate = Promise.withResolvers<void>()
    let finished = false
    await using server = await testServer({
      clock,
      answer: async bytes => {
        await gate.promise
        finished = true
        return bytes
      },
    })
    using peer = await h2Peer(server.url)
    const answer = peer.request({ ...GRPC_HEADERS, 'grpc-timeout': '90S' }, message(HELLO))
    await until(() => server.seen.length === 1)
    await clock.advance(89_000)
    expect(server.seen[0]!.context.signal?.aborted).toBe(false)
    await clock.advance(1100)
    expect((await answer).headers).toMatchObject({ 'grpc-status': '4', 'grpc-message': 'context deadline exceeded' })
    expect(server.seen[0]!.context.signal?.aborted).toBe(true)
    gate.resolve()
    await until(() => finished)
  })

  test('grpc-js sees its deadline and the handler learns of it', async () => {
    const gate = Promise.withResolvers<void>()
    await using server = await testServer({
      answer: async bytes => {
        await gate.promise
        return bytes
      },
    })
    using peer = grpcPeer(server.port)
    expect((await peer.fail(HELLO, { deadline: 50 })).code).toBe(grpc.status.DEADLINE_EXCEEDED)
    await until(() => server.seen[0]?.context.signal?.aborted === true)
    gate.resolve()
    expect(await peer.call(HELLO)).toEqual(HELLO)
  })

  test('a cancelled call is not abandoned, and its connection goes on', async () => {
    const gate = Promise.withResolvers<void>()
    let finished = false
    await using server = await testServer({
      answer: async bytes => {
        await gate.promise
        finished = true
        return bytes
      },
    })
    using peer = grpcPeer(server.port)
    const { call, answer } = peer.start(HELLO)
    answer.catch(() => {})
    await until(() => server.seen.length === 1)
    call.cancel()
    await until(() => server.seen[0]!.context.signal?.aborted === true)
    gate.resolve()
    await until(() => finished)
    expect(await peer.call(HELLO)).toEqual(HELLO)
  })

  test('a message that does not arrive in time is refused', async () => {
    const clock = new FakeClock()
    await using server = await testServer({ clock })
    using peer = await h2Peer(server.url)
    const stream = peer.session.request(GRPC_HEADERS)
    const answer = once(stream, 'response')
    stream.on('error', () => {})
    stream.write(message(HELLO, 0, 500))
    await until(() => clock.pending > 1)
    await clock.advance(59_000)
    expect(stream.closed).toBe(false)
    stream.write(HELLO)
    await clock.advance(2000)
    expect((await answer)[0]).toMatchObject({
      'grpc-status': '4',
      'grpc-message': 'request message did not arrive in time',
    })
    expect(server.seen).toEqual([])
  })
})

describe('frames', () => {
  test('a message cut anywhere is put together', async () => {
    await using server = await testServer()
    using peer = await framePeer(server.port)
    const whole = message(Buffer.from('in pieces'))
    peer.send(PREFACE)
    for (let cut = 1; cut < whole.length; cut++) {
      const stream = cut * 2 - 1
      peer.send(headers(stream), data(stream, whole.subarray(0, cut), 0), data(stream, whole.subarray(cut)))
    }
    await until(() => server.seen.length === whole.length - 1)
    expect(new Set(server.seen.map(each => each.bytes.toString()))).toEqual(new Set(['in pieces']))
  })

  test('a sender of single bytes is served', async () => {
    await using server = await testServer()
    using peer = await framePeer(server.port)
    await peer.drip(Buffer.concat([PREFACE, headers(1), data(1, message(HELLO))]))
    await peer.frame(FRAME.DATA, 1)
    expect(server.seen[0]!.bytes).toEqual(HELLO)
  })

  test.each<[string, Record<string, string>, Buffer | undefined, string, RegExp]>([
    ['no message at all', {}, undefined, '13', /^no message/],
    ['an empty body', {}, Buffer.alloc(0), '13', /^no message/],
    ['half a prefix', {}, message(HELLO).subarray(0, 3), '13', /ends within/],
    ['half a message', {}, message(HELLO, 0, 50), '13', /ends within/],
    ['two messages', {}, Buffer.concat([message(HELLO), message(HELLO)]), '13', /more than one/],
    ['a byte too many', {}, Buffer.concat([message(HELLO), Buffer.of(0)]), '13', /more than one/],
    ['a compressed message without encoding', {}, message(HELLO, 1), '13', /compressed flag set/],
    ['rubbish instead of gzip', { 'grpc-encoding': 'gzip' }, message(HELLO, 1), '13', /failed to decompress/],
    ['rubbish instead of zstd', { 'grpc-encoding': 'zstd' }, message(HELLO, 1), '13', /failed to decompress/],
    ['an unknown encoding', { 'grpc-encoding': 'br' }, message(HELLO), '12', /not installed for grpc-encoding "br"/],
    ['a message over 4 MiB', {}, message(HELLO, 0, 5 << 20), '8', /larger than max \(5242880 vs\. 4194304\)/],
    ['an empty timeout', { 'grpc-timeout': '' }, message(HELLO), '13', /malformed grpc-timeout/],
    ['a timeout of nine digits', { 'grpc-timeout': '123456789S' }, message(HELLO), '13', /malformed grpc-timeout/],
    ['a timeout without unit', { 'grpc-timeout': '5' }, message(HELLO), '13', /malformed grpc-timeout/],
    ['a negative timeout', { 'grpc-timeout': '-5S' }, message(HELLO), '13', /malformed grpc-timeout/],
  ])('%s is refused and a good call beside it served', async (_, fields, body, code, text) => {
    await using server = await testServer()
    using peer = await h2Peer(server.url)
    const good = peer.request(GRPC_HEADERS, message(Buffer.from('good')))
    const refused = await peer.request({ ...GRPC_HEADERS, ...fields }, body)
    expect(refused.headers).toMatchObject({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': code })
    expect(decodeGrpcMessage(refused.headers['grpc-message']!)).toMatch(text)
    expect(refused.headers['grpc-accept-encoding']).toBe(
      code === '12' ? 'identity,gzip,snappy,zstd,deflate' : undefined,
    )
    expect((await good).trailers).toMatchObject({ 'grpc-status': '0' })
    expect(server.seen.map(each => each.bytes.toString())).toEqual(['good'])
  })

  test('another method than POST is answered 405', async () => {
    await using server = await testServer()
    using peer = await h2Peer(server.url)
    expect((await peer.request({ ...GRPC_HEADERS, ':method': 'GET' })).headers[':status']).toBe(405)
  })

  test.each([
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
  ] as const)('%s is decompressed; a message without the flag is taken as it is', async (encoding, compress) => {
    await using server = await testServer()
    using peer = await framePeer(server.port)
    const fields = { ...GRPC_HEADERS, 'grpc-encoding': encoding }
    peer.send(PREFACE, headers(1, fields), data(1, message(compress(HELLO), 1)))
    peer.send(headers(3, fields), data(3, message(HELLO)))
    await until(() => server.seen.length === 2)
    expect(server.seen.map(each => each.bytes)).toEqual([HELLO, HELLO])
  })

  test.each([
    ['application/grpc+proto', true],
    ['application/grpc;charset=utf-8', true],
    ['application/json', false],
    ['text/plain', false],
  ])('content type %s', async (type, taken) => {
    await using server = await testServer({ http: false })
    using peer = await framePeer(server.port)
    peer.send(PREFACE, headers(1, { ...GRPC_HEADERS, 'content-type': type }), data(1, message(HELLO)))
    await peer.frame(FRAME.HEADERS, 1)
    expect(server.seen.length).toBe(taken ? 1 : 0)
  })

  test.each([
    ['after the headers', [headers(1)]],
    ['within the prefix', [headers(1), data(1, message(HELLO).subarray(0, 3), 0)]],
    ['within the message', [headers(1), data(1, message(HELLO, 0, 50), 0)]],
    ['before the end', [headers(1), data(1, message(HELLO), 0)]],
  ])('a stream reset %s consumes nothing and harms nobody', async (_, frames) => {
    for (const code of [0, 2, 7, 8, 99]) {
      await using server = await testServer()
      using peer = await framePeer(server.port)
      peer.send(PREFACE, ...frames, rst(1, code), headers(3), data(3, message(Buffer.from('good'))))
      await peer.frame(FRAME.DATA, 3)
      expect(server.seen.map(each => each.bytes.toString())).toEqual(['good'])
    }
  })

  test('a stream or socket reset while the handler runs harms nobody', async () => {
    for (const code of [0, 2, 7, 8, undefined]) {
      const gate = Promise.withResolvers<void>()
      await using server = await testServer({
        answer: async bytes => {
          await gate.promise
          return bytes
        },
      })
      using peer = await framePeer(server.port)
      peer.send(PREFACE, headers(1), data(1, message(HELLO)))
      await until(() => server.seen.length === 1)
      if (code === undefined) peer.socket.resetAndDestroy()
      else peer.send(rst(1, code))
      await until(() => server.seen[0]!.context.signal?.aborted === true)
      gate.resolve()
      using good = grpcPeer(server.port)
      expect(await good.call(HELLO)).toEqual(HELLO)
    }
  })
})
