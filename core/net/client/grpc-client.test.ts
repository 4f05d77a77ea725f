import * as http2 from 'node:http2'
import * as net from 'node:net'
import * as zlib from 'node:zlib'
import * as grpc from '@grpc/grpc-js'
import { describe, expect, test } from 'vitest'
import { Code } from '#core/component'
import { FakeClock, tempDir, until } from '#core/testing'
import { encodeStatus } from '../status-codec.ts'
import {
  answerOk,
  deadPort,
  framed,
  goaway,
  grpcClient,
  grpcJsServer,
  http2Server,
  METHOD,
  rawServer,
  refusal,
  SETTINGS,
} from './rig.test-support.ts'

const { NGHTTP2_CANCEL, NGHTTP2_REFUSED_STREAM } = http2.constants

describe('against a grpc-js server', () => {
  test('a message in pieces arrives whole, with metadata, deadline and user agent', async () => {
    await using server = await grpcJsServer()
    await using client = await grpcClient({
      endpoint: server.endpoint,
      headers: { 'X-Tenant': 'a', 'key-bin': '\u00ff\u0001', te: 'ignored', 'grpc-timeout': '1n' },
    })
    const pieces = [Buffer.from('head'), Buffer.alloc(20_000, 'x'), Buffer.alloc(0), Buffer.from('tail')]
    const answer = await client.call(METHOD, pieces, { timeout: 60_000, metadata: { traceparent: '00-1-2-01' } })
    expect(answer.equals(Buffer.concat(pieces))).toBe(true)
    const [call] = server.calls
    expect(call!.metadata.getMap()).toEqual({
      'user-agent': 'test/1',
      'x-tenant': 'a',
      'key-bin': Buffer.from('\u00ff\u0001'),
      traceparent: '00-1-2-01',
    })
    expect(Number(call!.getDeadline()) - Date.now()).toBeGreaterThan(50_000)
    expect(call!.getHost()).toBe(server.endpoint)
  })

  test('an empty message and an empty answer are messages', async () => {
    await using server = await grpcJsServer()
    await using client = await grpcClient({ endpoint: server.endpoint })
    expect((await client.call(METHOD, [])).length).toBe(0)
  })

  test('gzip is understood', async () => {
    await using server = await grpcJsServer()
    await using client = await grpcClient({ endpoint: server.endpoint, compression: 'gzip' })
    const body = Buffer.alloc(300_000, 'compressible ')
    expect((await client.call(METHOD, [body])).equals(body)).toBe(true)
  })

  test('an error comes back with code, message and the wait asked for', async () => {
    await using server = await grpcJsServer((_call, done) => {
      const metadata = new grpc.Metadata()
      const status = { code: Code.RESOURCE_EXHAUSTED, message: 'full', retryAfter: 2500 }
      metadata.set('grpc-status-details-bin', encodeStatus(status))
      done({ code: grpc.status.RESOURCE_EXHAUSTED, details: 'voll: 100 % \u{1f4a5}', metadata })
    })
    await using client = await grpcClient({ endpoint: server.endpoint })
    const error = await client.call(METHOD, []).catch(reason => reason)
    expect(error).toMatchObject({ name: 'RetryableError', code: 8, message: 'voll: 100 % \u{1f4a5}', after: 2500 })
  })

  test('an unknown method is permanent', async () => {
    await using server = await grpcJsServer()
    await using client = await grpcClient({ endpoint: server.endpoint })
    expect((await refusal(client.call('/test.Service/Nope', []))).slice(0, 2)).toEqual(['PermanentError', 12])
  })

  test('a call that takes longer than its timeout is cancelled on both sides', async () => {
    let cancelled = false
    await using server = await grpcJsServer(call => {
      call.on('cancelled', () => {
        cancelled = true
      })
    })
    const clock = new FakeClock()
    await using client = await grpcClient({ endpoint: server.endpoint }, { clock })
    const call = refusal(client.call(METHOD, [], { timeout: 5000 }))
    await until(() => server.calls.length === 1)
    await clock.advance(5050)
    expect(await call).toEqual(['RetryableError', Code.DEADLINE_EXCEEDED, 'No answer within the timeout of 5000 ms'])
    await until(() => cancelled)
  })

  test('an aborted call is cancelled on both sides', async () => {
    let cancelled = false
    await using server = await grpcJsServer(call => {
      call.on('cancelled', () => {
        cancelled = true
      })
    })
    await using client = await grpcClient({ endpoint: server.endpoint })
    const controller = new AbortController()
    const call = refusal(client.call(METHOD, [], { signal: controller.signal }))
    await until(() => server.calls.length === 1)
    controller.abort(new Error('shutting down'))
    expect(await call).toEqual(['RetryableError', Code.CANCELLED, 'Call was cancelled: shutting down'])
    await until(() => cancelled)
    const again = refusal(client.call(METHOD, [], { signal: controller.signal }))
    expect((await again)[1]).toBe(Code.CANCELLED)
  })

  test('a server that shuts down in good order loses no call', async () => {
    const done: (() => void)[] = []
    const address = { address: `127.0.0.1:${await deadPort()}` }
    const hold = (call: grpc.ServerUnaryCall<Buffer, Buffer>, answer: grpc.sendUnaryData<Buffer>) =>
      void done.push(() => answer(null, call.request))
    await using server = await grpcJsServer(hold, address)
    await using client = await grpcClient({ endpoint: server.endpoint, wait_for_ready: true })
    const first = client.call(METHOD, [Buffer.from('first')])
    await until(() => done.length === 1)
    const closed = new Promise(resolve => server.server.tryShutdown(resolve))
    await until(
      async () =>
        (await grpcJsServer(undefined, address).then(
          peer => peer,
          () => undefined,
        )) !== undefined,
    )
    expect((await client.call(METHOD, [Buffer.from('second')], { timeout: 15_000 })).toString()).toBe('second')
    done[0]!()
    expect((await first).toString()).toBe('first')
    await closed
  })

  test('a socket file is an address', async () => {
    await using directory = await tempDir()
    const path = directory.file('grpc.sock')
    await using _server = await grpcJsServer(undefined, { address: `unix:${path}` })
    await using client = await grpcClient({ endpoint: `unix://${path}` })
    expect((await client.call(METHOD, [Buffer.from('hello')])).toString()).toBe('hello')
  })
})

describe('flow', () => {
  test('200 calls of 450 KB at once to a peer with windows of 64 KiB all succeed', async () => {
    let bytes = 0
    await using server = await http2Server(stream => {
      stream.on('data', chunk => {
        bytes += chunk.length
      })
      stream.on('end', () => answerOk(stream))
    })
    await using client = await grpcClient({ endpoint: server.endpoint })
    const body = Buffer.alloc(450_000, 'x')
    const calls = Array.from({ length: 200 }, () => client.call(METHOD, [body], { timeout: 60_000 }))
    const answers = await Promise.all(calls)
    expect(answers.every(answer => answer.toString() === 'ok')).toBe(true)
    expect(bytes).toBe(200 * 450_005)
  })

  test('ten calls at once to a peer that takes two at a time all succeed', async () => {
    let now = 0
    let most = 0
    await using server = await http2Server(
      stream => {
        most = Math.max(most, ++now)
        stream.resume()
        stream.on('end', () => {
          now--
          answerOk(stream)
        })
      },
      { settings: { maxConcurrentStreams: 2 } },
    )
    await using client = await grpcClient({ endpoint: server.endpoint })
    await Promise.all(Array.from({ length: 10 }, () => client.call(METHOD, [Buffer.alloc(1000)])))
    expect(most).toBeLessThanOrEqual(2)
  })

  test('a peer that reads nothing holds back 64 MiB, and waiting calls keep their deadlines', async () => {
    let streams = 0
    await using server = await http2Server(stream => {
      streams++
      stream.pause()
    })
    const clock = new FakeClock()
    await using client = await grpcClient({ endpoint: server.endpoint }, { clock })
    const body = Buffer.alloc(16 << 20)
    const calls = Array.from({ length: 6 }, () => refusal(client.call(METHOD, [body], { timeout: 1000 })))
    await until(() => streams === 3)
    await clock.advance(1050)
    expect((await Promise.all(calls)).map(([, code]) => code)).toEqual(Array(6).fill(Code.DEADLINE_EXCEEDED))
    expect(streams).toBe(3)
  })

  test('an answer while we still upload ends the call', async () => {
    await using server = await http2Server(stream => {
      stream.respond({ ':status': 200, 'grpc-status': '8', 'grpc-message': 'too large' }, { endStream: true })
      stream.close(http2.constants.NGHTTP2_NO_ERROR)
    })
    await using client = await grpcClient({ endpoint: server.endpoint })
    const call = client.call(METHOD, [Buffer.alloc(8 << 20)])
    expect(await refusal(call)).toEqual(['PermanentError', Code.RESOURCE_EXHAUSTED, 'too large'])
    await using next = await grpcClient({ endpoint: server.endpoint })
    expect((await refusal(next.call(METHOD, [])))[2]).toBe('too large')
  })
})

describe('compression', () => {
  const expand = { gzip: zlib.gunzipSync, zstd: zlib.zstdDecompressSync } as const
  test.each(['gzip', 'zstd'] as const)('%s is announced and used, and understood in answers', async compression => {
    let seen = ''
    await using server = await http2Server((stream, headers) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const message = Buffer.concat(chunks)
        expect([headers['grpc-encoding'], message[0], message.readUInt32BE(1)]).toEqual([
          compression,
          1,
          message.length - 5,
        ])
        seen = expand[compression](message.subarray(5)).toString()
        stream.respond({ ':status': 200, 'grpc-encoding': 'gzip' }, { waitForTrailers: true })
        stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
        stream.end(framed(zlib.gzipSync('answer'), 1))
      })
    })
    await using client = await grpcClient({ endpoint: server.endpoint, compression })
    expect((await client.call(METHOD, [Buffer.from('hello '), Buffer.from('there')])).toString()).toBe('answer')
    expect(seen).toBe('hello there')
  })

  test('gRPC calls the framed format snappy', async () => {
    let head = ''
    await using server = await http2Server((stream, headers) => {
      stream.once('data', (chunk: Buffer) => {
        head = `${headers['grpc-encoding']} ${chunk.toString('hex', 5, 15)}`
        answerOk(stream)
      })
    })
    await using client = await grpcClient({ endpoint: server.endpoint, compression: 'snappy' })
    await client.call(METHOD, [Buffer.from('hello')])
    expect(head).toBe('snappy ff060000734e61507059')
  })

  test('compressed answers that cannot be read are an internal error', async () => {
    const answers: [http2.OutgoingHttpHeaders, Buffer, string][] = [
      [{}, framed('x', 1), 'Server sent a compressed message without grpc-encoding'],
      [{ 'grpc-encoding': 'gzip' }, framed('x', 1), 'Body is not valid gzip: unexpected end of file'],
      [{ 'grpc-encoding': 'br' }, framed('x', 1), 'unsupported Content-Encoding: br'],
    ]
    for (const [headers, message, sentence] of answers) {
      await using server = await http2Server(stream => {
        stream.respond({ ':status': 200, ...headers }, { waitForTrailers: true })
        stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
        stream.end(message)
      })
      await using client = await grpcClient({ endpoint: server.endpoint })
      expect(await refusal(client.call(METHOD, []))).toEqual(['PermanentError', Code.INTERNAL, sentence])
    }
  })
})

describe('a call that no server has looked at', () => {
  test('is repeated at once when its stream is refused', async () => {
    let refusals = 3
    await using server = await http2Server(stream => {
      if (refusals-- > 0) stream.close(NGHTTP2_REFUSED_STREAM)
      else answerOk(stream)
    })
    await using client = await grpcClient({ endpoint: server.endpoint })
    expect((await client.call(METHOD, [Buffer.from('again')])).toString()).toBe('ok')
  })

  test('is given up after five repeats', async () => {
    let streams = 0
    await using server = await http2Server(stream => {
      streams++
      stream.close(NGHTTP2_REFUSED_STREAM)
    })
    await using client = await grpcClient({ endpoint: server.endpoint })
    expect((await refusal(client.call(METHOD, []))).slice(0, 2)).toEqual(['RetryableError', Code.UNAVAILABLE])
    expect(streams).toBe(6)
  })

  test('is repeated on a new connection when the old one goes away without it', async () => {
    await using second = await http2Server(stream => answerOk(stream, 'second connection'))
    let connections = 0
    await using server = await rawServer(socket => {
      if (++connections > 1) {
        const onward = net.connect(second.port, '127.0.0.1')
        socket.pipe(onward).pipe(socket)
        return
      }
      socket.write(SETTINGS)
      let sent = 0
      socket.on('data', chunk => {
        sent += chunk.length
        // Preface and settings are fewer than 100 bytes, so this is the call.
        if (sent > 100) socket.write(goaway({ lastStream: 0 }))
      })
    })
    await using client = await grpcClient({ endpoint: server.endpoint })
    expect((await client.call(METHOD, [Buffer.alloc(1000)])).toString()).toBe('second connection')
  })

  test('is not repeated when the server has looked at it', async () => {
    let streams = 0
    await using server = await http2Server(stream => {
      streams++
      stream.close(NGHTTP2_CANCEL)
    })
    await using client = await grpcClient({ endpoint: server.endpoint })
    expect((await refusal(client.call(METHOD, []))).slice(0, 2)).toEqual(['RetryableError', Code.CANCELLED])
    expect(streams).toBe(1)
  })
})

test('an authenticator adds to the metadata and replaces what is configured', async () => {
  await using server = await grpcJsServer()
  const authenticator = { headers: async () => ({ authorization: 'Bearer new', 'x-more': '1' }) }
  const headers = { Authorization: 'Bearer old', 'x-kept': '2' }
  await using client = await grpcClient({ endpoint: server.endpoint, headers }, { authenticator })
  await client.call(METHOD, [])
  expect(server.calls[0]!.metadata.getMap()).toMatchObject({
    authorization: 'Bearer new',
    'x-more': '1',
    'x-kept': '2',
  })
})

test('authority and user agent can be chosen', async () => {
  await using server = await grpcJsServer()
  await using client = await grpcClient({ endpoint: server.endpoint, authority: 'other:1', user_agent: 'mine/2' })
  await client.call(METHOD, [])
  expect(server.calls[0]!.getHost()).toBe('other:1')
  expect(server.calls[0]!.metadata.get('user-agent')).toEqual(['mine/2'])
})
