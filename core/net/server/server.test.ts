import { describe, expect, test } from 'vitest'
import { FakeClock, until } from '#core/testing'
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
  rawPeer,
  testServer,
} from './testdata/harness.ts'

const HELLO = Buffer.from('hello')
const REQUEST = 'POST /y HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi'

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return {
    open: resolve,
    answer: async (bytes: Buffer) => {
      await promise
      return bytes
    },
  }
}

describe('one port', () => {
  test('answers gRPC, HTTP/1.1 and HTTP/2', async () => {
    await using server = await testServer()
    using peer = grpcPeer(server.port)
    expect(await peer.call(HELLO)).toEqual(HELLO)
    const answer = await fetch(`${server.url}/x`, { method: 'POST', body: 'over http' })
    expect(await answer.text()).toBe('over http')
    using h2 = await h2Peer(server.url)
    expect((await h2.request({ ':method': 'POST', ':path': '/' }, HELLO)).text).toBe('hello')
  })

  test.each(['POST', 'PUT', 'PATCH', 'P', 'PROPFIND'])('takes %s for HTTP/1.1, byte by byte', async method => {
    await using server = await testServer({ handle: async request => ({ status: 200, body: request.method }) })
    using raw = await rawPeer(server.port)
    await raw.drip(`${method} /y HTTP/1.1\r\nHost: x\r\n\r\n`)
    await raw.until(text => /^HTTP\/1\.1 (200|400)/.test(text))
  })

  test('serves requests one after the other on one connection', async () => {
    await using server = await testServer()
    using peer = await rawPeer(server.port)
    peer.socket.write(REQUEST.repeat(3))
    await peer.until(text => text.split('200 OK').length === 4)
    expect(server.seen.length).toBe(3)
  })

  test('answers clients that would rather upgrade to HTTP/2 in HTTP/1.1', async () => {
    await using server = await testServer()
    using peer = await rawPeer(server.port)
    const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'
    peer.socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${upgrade}Content-Length: 2\r\n\r\nhi`)
    expect(await peer.until(text => text.endsWith('hi'))).toMatch(/^HTTP\/1\.1 200/)
  })

  test('says so when CORS headers are allowed but no origin', async () => {
    await using server = await testServer({ http: { cors: { allowed_headers: ['x'] } } })
    expect(server.logger.messages('warn')).toEqual([
      'The CORS configuration specifies allowed headers but no allowed origins, and is therefore ignored.',
    ])
  })

  test('says so when it speaks gRPC only', async () => {
    await using server = await testServer({ http: false })
    for (let i = 0; i < 2; i++) {
      using peer = await rawPeer(server.port)
      peer.socket.end(REQUEST)
      expect(await peer.closed).toMatch(/^HTTP\/1\.1 400 .*this port speaks gRPC only\n$/s)
    }
    expect(server.logger.messages('warn')).toEqual(['A client speaks HTTP/1.1 to a port that speaks gRPC only'])
    expect(server.logger.messages('debug')).toEqual(['A client speaks HTTP/1.1 to a port that speaks gRPC only'])
  })

  test('says so when it has no TLS', async () => {
    await using server = await testServer()
    using peer = await rawPeer(server.port)
    peer.socket.end(Buffer.from([22, 3, 1, 0, 5, 1, 0, 0, 1, 0]))
    await peer.closed
    expect(server.logger.messages('warn')).toEqual(['A client speaks TLS to a port without TLS'])
  })
})

describe('hostile connections', () => {
  test.each([
    ['say nothing', ''],
    ['say too little', 'PR'],
    ['say HTTP/2 and no more', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['say half of it', 'PRI * HT'],
  ])('that %s are closed in time', async (_, text) => {
    const clock = new FakeClock()
    await using server = await testServer({ clock })
    using peer = await rawPeer(server.port)
    if (text !== '') peer.socket.write(text)
    await until(() => clock.pending > 0)
    // The bytes are on their way through the loop of this very process.
    using other = await rawPeer(server.port)
    other.socket.write(REQUEST)
    await other.until(given => given.includes('200'))
    await clock.advance(9000)
    expect(peer.socket.closed).toBe(false)
    await clock.advance(1200)
    await peer.closed
  })

  test('whose headers drip are closed in time', async () => {
    await using server = await testServer({ http: { read_header_timeout: '100ms' } })
    using peer = await rawPeer(server.port)
    peer.socket.write('POST / HTTP/1.1\r\nHost: ')
    expect(await peer.closed).toMatch(/^HTTP\/1\.1 408 Request Timeout/)
  })

  test('that stay idle after an answer are closed in time', async () => {
    await using server = await testServer({ http: { idle_timeout: '50ms' } })
    using peer = await rawPeer(server.port)
    peer.socket.write(REQUEST)
    expect(await peer.closed).toMatch(/^HTTP\/1\.1 200/)
  })

  test.each([
    ['rubbish', 'rubbish\r\n\r\n', /^HTTP\/1\.1 400/],
    ['a header without end', `POST / HTTP/1.1\r\nX: ${'y'.repeat(20_000)}`, /^HTTP\/1\.1 431/],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', /^HTTP\/1\.1 400/],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      /^HTTP\/1\.1 400/,
    ],
    ['no host', 'POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n', /^HTTP\/1\.1 400/],
    ['a bad chunk', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', /^HTTP\/1\.1 400/],
  ])('that send %s are refused', async (_, text, expected) => {
    await using server = await testServer()
    using peer = await rawPeer(server.port)
    peer.socket.write(text)
    expect(await peer.closed).toMatch(expected)
    expect(server.seen).toEqual([])
    expect((await fetch(server.url, { method: 'POST' })).status).toBe(200)
  })

  test.each<[string, Buffer]>([
    ['rubbish after the preface', Buffer.concat([PREFACE, Buffer.alloc(100, 0xff)])],
    ['a bad preface', Buffer.from('PRI * HTTP/9.9\r\n\r\nSM\r\n\r\n')],
    ['data before headers', Buffer.concat([PREFACE, data(1, HELLO)])],
    ['a frame over the limit', Buffer.concat([PREFACE, headers(1), data(1, Buffer.alloc(100_000))])],
    ['too many headers', Buffer.concat([PREFACE, headers(1, { ...GRPC_HEADERS, x: 'y'.repeat(16_300) }, 1)])],
    ['reset', Buffer.alloc(0)],
  ])('that send %s over HTTP/2 harm nobody', async (_, bytes) => {
    await using server = await testServer()
    using peer = await rawPeer(server.port)
    if (bytes.length > 0) peer.socket.write(bytes)
    using good = grpcPeer(server.port)
    expect(await good.call(HELLO)).toEqual(HELLO)
    peer.socket.resetAndDestroy()
    await peer.closed
    expect(await good.call(HELLO)).toEqual(HELLO)
  })

  test('that half-close HTTP/2 are closed once answered', async () => {
    await using server = await testServer()
    using peer = await framePeer(server.port)
    peer.socket.end(Buffer.concat([PREFACE, headers(1), data(1, message(HELLO))]))
    await peer.closed
    expect(peer.frames().some(each => each.type === FRAME.DATA && each.stream === 1)).toBe(true)
  })

  test('that reset stream after stream are cut off; those that cancel a few hundred calls are not', async () => {
    await using server = await testServer()
    using peer = await framePeer(server.port)
    peer.send(PREFACE)
    const cancel = (stream: number) => {
      const code = Buffer.alloc(4)
      code.writeUInt32BE(8)
      const head = Buffer.alloc(9)
      head.writeUIntBE(4, 0, 3)
      head[3] = FRAME.RST
      head.writeUInt32BE(stream, 5)
      return Buffer.concat([headers(stream), head, code])
    }
    for (let i = 0; i < 500; i++) peer.send(cancel(2 * i + 1))
    peer.send(headers(2001), data(2001, message(HELLO)))
    await peer.frame(FRAME.DATA, 2001)
    for (let i = 0; i < 20_000 && !peer.socket.destroyed; i++) peer.socket.write(cancel(3001 + 2 * i))
    await peer.frame(FRAME.GOAWAY)
    using good = grpcPeer(server.port)
    expect(await good.call(HELLO)).toEqual(HELLO)
  })
})

describe('closing', () => {
  test('answers what is under way and then ends each connection', async () => {
    const { answer, open } = gate()
    const server = await testServer({ answer })
    using frames = await framePeer(server.port)
    frames.send(PREFACE, headers(1), data(1, message(HELLO)))
    using raw = await rawPeer(server.port)
    raw.socket.write(REQUEST)
    using idle = await rawPeer(server.port)
    await until(() => server.seen.length === 2)
    const closed = server.close(60_000)
    await frames.frame(FRAME.GOAWAY)
    await expect(rawPeer(server.port)).rejects.toThrow(/ECONNREFUSED/)
    open()
    await frames.frame(FRAME.DATA, 1)
    expect(await raw.closed).toMatch(/200 OK.*connection: close.*hi$/is)
    await frames.closed
    idle.socket.destroy()
    await closed
  })

  test('a call sent after GOAWAY is refused in a way that lets it be repeated', async () => {
    const { answer, open } = gate()
    const server = await testServer({ answer })
    using frames = await framePeer(server.port)
    frames.send(PREFACE, headers(1), data(1, message(HELLO)))
    await until(() => server.seen.length === 1)
    const closed = server.close(60_000)
    await frames.frame(FRAME.GOAWAY)
    frames.send(headers(3), data(3, message(HELLO)))
    open()
    await closed
    expect(server.seen.length).toBe(1)
    const goaway = frames.frames().find(each => each.type === FRAME.GOAWAY)
    expect(goaway!.payload.readUInt32BE(0)).toBe(1)
  })

  test('ends idle connections at once', async () => {
    const server = await testServer({ clock: new FakeClock() })
    using raw = await rawPeer(server.port)
    raw.socket.write(REQUEST)
    await raw.until(text => text.endsWith('hi'))
    using h2 = await h2Peer(server.url)
    using silent = await rawPeer(server.port)
    using last = await rawPeer(server.port)
    last.socket.write(REQUEST)
    await last.until(text => text.endsWith('hi'))
    await Promise.all([server.close(60_000), raw.closed, silent.closed])
    await until(() => h2.session.destroyed)
  })

  test('takes no longer than its grace', async () => {
    const clock = new FakeClock()
    const { answer, open } = gate()
    const server = await testServer({ answer, clock })
    using raw = await rawPeer(server.port)
    raw.socket.write(REQUEST)
    await until(() => server.seen.length === 1)
    let done = false
    const closed = server.close(5000).then(() => {
      done = true
    })
    await clock.advance(4900)
    expect(done).toBe(false)
    await clock.advance(200)
    await closed
    await raw.closed
    open()
  })

  test('waits for a handler whose sender has gone', async () => {
    const { answer, open } = gate()
    let finished = false
    const server = await testServer({
      answer: async bytes => {
        await answer(bytes)
        finished = true
        return bytes
      },
    })
    using raw = await rawPeer(server.port)
    raw.socket.write(REQUEST)
    await until(() => server.seen.length === 1)
    raw.socket.resetAndDestroy()
    await until(() => server.seen[0]!.context.signal?.aborted === true)
    const closed = server.close(60_000)
    open()
    await closed
    expect(finished).toBe(true)
  })

  test('leaves no timer behind', async () => {
    const clock = new FakeClock()
    const server = await testServer({ clock })
    using peer = grpcPeer(server.port)
    await peer.call(HELLO)
    await fetch(server.url, { method: 'POST', body: 'x' })
    peer.client.close()
    await server.close(1000)
    expect(clock.pending).toBe(0)
  })

  test('may be asked twice', async () => {
    const server = await testServer()
    await Promise.all([server.close(10), server.close(10)])
    await server.close(10)
  })
})
