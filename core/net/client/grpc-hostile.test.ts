import * as http2 from 'node:http2'
import type * as net from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Code } from '#core/component'
import { FakeClock, until } from '#core/testing'
import {
  answerOk,
  deadPort,
  framed,
  goaway,
  grpcClient,
  http2Server,
  METHOD,
  rawServer,
  refusal,
  SETTINGS,
} from './rig.test-support.ts'

const uncaught: unknown[] = []
const remember = (error: unknown) => void uncaught.push(error)
beforeAll(() => void process.on('uncaughtException', remember).on('unhandledRejection', remember))
afterAll(() => {
  process.off('uncaughtException', remember).off('unhandledRejection', remember)
  expect(uncaught).toEqual([])
})

type Act = (stream: http2.ServerHttp2Stream) => void

/** What a call tells when the server does `act` with its stream. */
async function outcome(act: Act): Promise<[string, number | undefined, string]> {
  await using server = await http2Server(act)
  await using client = await grpcClient({ endpoint: server.endpoint })
  return await refusal(client.call(METHOD, [Buffer.from('hello')]))
}

function responding(headers: http2.OutgoingHttpHeaders, options?: http2.ServerStreamResponseOptions): Act {
  return stream => stream.respond(headers, options)
}

/** Answers with bytes and then trailers. */
function answering(body: Buffer, trailers: http2.OutgoingHttpHeaders, headers: http2.OutgoingHttpHeaders = {}): Act {
  return stream => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...headers }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers(trailers))
    stream.end(body)
  }
}

const END = { endStream: true }
const OK = { 'grpc-status': '0' }

describe('a status', () => {
  test.each<[string, Act, string, number, string]>([
    [
      'in the headers alone',
      responding({ ':status': 200, 'grpc-status': '3', 'grpc-message': 'b%C3%A4d' }, END),
      'PermanentError',
      3,
      'bäd',
    ],
    ['that is no number', responding({ ':status': 200, 'grpc-status': 'x' }, END), 'PermanentError', 2, ''],
    ['that nobody knows', responding({ ':status': 200, 'grpc-status': '99' }, END), 'PermanentError', 2, ''],
    [
      'missing with HTTP 200',
      responding({ ':status': 200 }, END),
      'PermanentError',
      2,
      'Server ended the call without grpc-status',
    ],
    [
      'missing in the trailers',
      answering(framed('ok'), { other: '1' }),
      'PermanentError',
      2,
      'Server ended the call without grpc-status',
    ],
    ['OK without a message', answering(Buffer.alloc(0), OK), 'PermanentError', 13, 'Server sent OK without a message'],
    [
      'OK with half a message',
      answering(framed('whole').subarray(0, 7), OK),
      'PermanentError',
      13,
      'Server sent an incomplete message',
    ],
    [
      'OK with half a prefix',
      answering(Buffer.alloc(3), OK),
      'PermanentError',
      13,
      'Server sent an incomplete message',
    ],
    [
      'OK with two messages',
      answering(Buffer.concat([framed('one'), framed('two')]), OK),
      'PermanentError',
      13,
      'Server sent more than one message in answer to a unary call',
    ],
    [
      'with a message too large',
      answering(framed(Buffer.alloc((4 << 20) + 1)), OK),
      'PermanentError',
      8,
      'Received message larger than max (4194305 vs. 4194304)',
    ],
    [
      'as HTTP only, from a proxy',
      responding({ ':status': 503, 'content-type': 'text/html' }, END),
      'RetryableError',
      14,
      'Unexpected HTTP status 503 with content type "text/html"',
    ],
    ['as HTTP 404', responding({ ':status': 404 }), 'PermanentError', 12, 'Unexpected HTTP status 404'],
    ['as HTTP 429', responding({ ':status': 429 }, END), 'RetryableError', 14, 'Unexpected HTTP status 429'],
  ])('%s', async (_, act, name, code, message) => {
    expect(await outcome(act)).toEqual([name, code, message])
  })

  test('survives trailers of 60 KB, and larger ones end the call', async () => {
    await using server = await http2Server(
      stream => answering(framed('ok'), { ...OK, big: 'x'.repeat(60_000) })(stream),
      { maxSendHeaderBlockLength: 1 << 20 },
    )
    await using client = await grpcClient({ endpoint: server.endpoint })
    expect((await client.call(METHOD, [])).toString()).toBe('ok')
    await using large = await http2Server(
      stream => answering(framed('ok'), { ...OK, big: 'x'.repeat(200_000) })(stream),
      { maxSendHeaderBlockLength: 1 << 20 },
    )
    await using next = await grpcClient({ endpoint: large.endpoint })
    expect((await refusal(next.call(METHOD, [])))[0]).toMatch(/Error/)
  })
})

describe('a reset stream', () => {
  const { constants: c } = http2
  test.each([
    ['NO_ERROR', c.NGHTTP2_NO_ERROR, 'RetryableError', Code.UNAVAILABLE],
    ['PROTOCOL_ERROR', c.NGHTTP2_PROTOCOL_ERROR, 'PermanentError', Code.INTERNAL],
    ['INTERNAL_ERROR', c.NGHTTP2_INTERNAL_ERROR, 'PermanentError', Code.INTERNAL],
    ['CANCEL', c.NGHTTP2_CANCEL, 'RetryableError', Code.CANCELLED],
    ['ENHANCE_YOUR_CALM', c.NGHTTP2_ENHANCE_YOUR_CALM, 'PermanentError', Code.RESOURCE_EXHAUSTED],
    ['INADEQUATE_SECURITY', c.NGHTTP2_INADEQUATE_SECURITY, 'PermanentError', Code.PERMISSION_DENIED],
  ])('with %s', async (_, reset, name, code) => {
    expect((await outcome(stream => stream.close(reset))).slice(0, 2)).toEqual([name, code])
  })

  test('after half an answer is no success', async () => {
    const [, code] = await outcome(stream => {
      stream.respond({ ':status': 200 })
      stream.write(framed('half').subarray(0, 6))
      setImmediate(() => stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR))
    })
    // Node may end the stream before it resets it.
    expect([Code.INTERNAL, Code.UNKNOWN]).toContain(code)
  })
})

describe('a lost connection', () => {
  test.each<[string, (stream: http2.ServerHttp2Stream) => void, RegExp]>([
    ['closed by the server in the middle of a call', stream => stream.session?.destroy(), /^Connection lost/],
    [
      'reset in the middle of a call',
      stream => (stream.session?.socket as unknown as net.Socket | undefined)?.resetAndDestroy?.(),
      /ECONNRESET|Connection/,
    ],
  ])('%s is unavailable', async (_, act, message) => {
    const [name, code, said] = await outcome(act)
    expect([name, code]).toEqual(['RetryableError', Code.UNAVAILABLE])
    expect(said).toMatch(message)
  })

  test('names the cause of a reset', async () => {
    await using server = await rawServer(socket => {
      socket.write(SETTINGS)
      let sent = 0
      socket.on('data', chunk => {
        sent += chunk.length
        if (sent > 100) socket.resetAndDestroy()
      })
    })
    await using client = await grpcClient({ endpoint: server.endpoint })
    expect(await refusal(client.call(METHOD, [Buffer.alloc(1000)]))).toEqual([
      'RetryableError',
      Code.UNAVAILABLE,
      'Connection failed: read ECONNRESET',
    ])
  })

  test('that says why, tells it', async () => {
    await using server = await rawServer(socket => {
      socket.write(SETTINGS)
      let sent = 0
      socket.on('data', chunk => {
        sent += chunk.length
        if (sent > 100) socket.write(goaway({ lastStream: 1, code: http2.constants.NGHTTP2_INTERNAL_ERROR }))
      })
    })
    await using client = await grpcClient({ endpoint: server.endpoint })
    const [name, code, message] = await refusal(client.call(METHOD, [Buffer.alloc(1000)]))
    expect([name, code]).toEqual(['RetryableError', Code.UNAVAILABLE])
    expect(message).toBe('Connection failed: the server went away with HTTP/2 error code 2')
  })

  test('is replaced for the next call', async () => {
    let calls = 0
    await using server = await http2Server(stream => {
      if (++calls === 1) stream.session?.destroy()
      else answerOk(stream)
    })
    await using client = await grpcClient({ endpoint: server.endpoint })
    await refusal(client.call(METHOD, []))
    expect((await client.call(METHOD, [])).toString()).toBe('ok')
  })
})

describe('a port that does not speak gRPC', () => {
  test.each<[string, (socket: net.Socket) => void, RegExp]>([
    [
      'but HTTP/1.1',
      socket => socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n')),
      /does the port speak gRPC/,
    ],
    ['but answers garbage', socket => socket.write(Buffer.alloc(200, 0xee)), /does the port speak gRPC/],
    ['and hangs up', socket => socket.end(), /closed before it sent HTTP\/2 settings/],
    ['and resets', socket => socket.resetAndDestroy(), /ECONNRESET|closed before/],
  ])('%s', async (_, act, message) => {
    await using server = await rawServer(act)
    await using client = await grpcClient({ endpoint: server.endpoint })
    const [name, code, said] = await refusal(client.call(METHOD, []))
    expect([name, code]).toEqual(['RetryableError', Code.UNAVAILABLE])
    expect(said).toMatch(message)
    expect(said).toContain(`Could not connect to ${server.endpoint}`)
  })

  test('and says nothing is given up after 20 s', async () => {
    await using server = await rawServer(() => {})
    const clock = new FakeClock()
    await using client = await grpcClient({ endpoint: server.endpoint }, { clock })
    const call = refusal(client.call(METHOD, []))
    await until(() => server.sockets.length === 1 && clock.pending > 0)
    await advanceUntil(clock, 20_000, () => true)
    const [, code, said] = await call
    expect(code).toBe(Code.UNAVAILABLE)
    expect(said).toMatch(/no HTTP\/2 settings within/)
  })
})

/** Lets time pass in steps until `condition` holds, at least `ms`. */
async function advanceUntil(clock: FakeClock, ms: number, condition: () => boolean): Promise<void> {
  const end = clock.monotonic() + ms
  await until(
    async () => {
      await clock.advance(500)
      return clock.monotonic() >= end && condition()
    },
    { what: 'the fake clock to bring it about' },
  )
}

test('a server that closes every connection as soon as it is made is not stormed', async () => {
  await using server = await rawServer(socket => void socket.resume().end(SETTINGS))
  const clock = new FakeClock()
  await using client = await grpcClient({ endpoint: server.endpoint }, { clock })
  await until(() => clock.next !== undefined && clock.next <= 1200)
  expect(server.sockets).toHaveLength(2)
  expect((await refusal(client.call(METHOD, [])))[2]).toMatch(/was closed by the server as soon as it was made$/)
  await clock.advance(1200)
  await until(() => clock.next !== undefined && clock.next <= 2000)
  expect(server.sockets).toHaveLength(3)
})

test('a client that is closed while it connects leaves nothing behind', async () => {
  await using server = await rawServer(socket => socket.resume())
  const clock = new FakeClock()
  const client = await grpcClient({ endpoint: server.endpoint }, { clock })
  await until(() => server.sockets.length === 1)
  await client.close()
  await until(() => clock.pending === 0 && server.sockets[0]!.readableEnded)
})

describe('a server that is away', () => {
  test('fails calls at once, with the reason, and is tried again after a second', async () => {
    const port = await deadPort()
    const clock = new FakeClock()
    await using client = await grpcClient({ endpoint: `127.0.0.1:${port}` }, { clock })
    const refused = `Could not connect to 127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`
    for (let i = 0; i < 3; i++) {
      expect(await refusal(client.call(METHOD, []))).toEqual(['RetryableError', Code.UNAVAILABLE, refused])
    }
    await using _server = await http2Server(stream => answerOk(stream), {}, { port })
    expect((await refusal(client.call(METHOD, [])))[2]).toBe(refused)
    await clock.advance(1300)
    expect((await client.call(METHOD, [])).toString()).toBe('ok')
  })

  test('is waited for when told to, until the timeout', async () => {
    const port = await deadPort()
    const clock = new FakeClock()
    await using client = await grpcClient({ endpoint: `127.0.0.1:${port}`, wait_for_ready: true }, { clock })
    const short = refusal(client.call(METHOD, [], { timeout: 500 }))
    const long = client.call(METHOD, [], { timeout: 60_000 })
    await until(() => clock.pending >= 2)
    await clock.advance(600)
    expect((await short)[1]).toBe(Code.DEADLINE_EXCEEDED)
    await using _server = await http2Server(stream => answerOk(stream), {}, { port })
    await advanceUntil(clock, 2000, () => true)
    expect((await long).toString()).toBe('ok')
  })

  test('has a name that cannot be resolved', async () => {
    const clock = new FakeClock()
    const lookup = async () => {
      throw new Error('getaddrinfo ENOTFOUND backend.invalid')
    }
    await using client = await grpcClient({ endpoint: 'backend.invalid:4317' }, { clock, lookup })
    expect(await refusal(client.call(METHOD, []))).toEqual([
      'RetryableError',
      Code.UNAVAILABLE,
      'Could not resolve backend.invalid: getaddrinfo ENOTFOUND backend.invalid',
    ])
  })

  test('is not called by a closed client', async () => {
    await using server = await http2Server(stream => answerOk(stream))
    const client = await grpcClient({ endpoint: server.endpoint })
    await client.call(METHOD, [])
    await client.close()
    expect(await refusal(client.call(METHOD, []))).toEqual(['RetryableError', Code.UNAVAILABLE, 'Client is closed'])
  })
})
