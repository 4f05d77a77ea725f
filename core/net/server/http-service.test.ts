import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { Code, PermanentError, RetryableError } from '#core/component'
import { FakeClock, RecordingLogger, until } from '#core/testing'
import { compress } from '../compression.ts'
import { openServer } from './server.ts'
import { httpSettings } from './settings.ts'
import {
  data,
  FRAME,
  framePeer,
  h2Peer,
  headers,
  httpConfig,
  PREFACE,
  post,
  rawPeer,
  rst,
  testServer,
} from './testdata/harness.ts'

const HELLO = Buffer.from('hello')

describe('bodies', () => {
  test('of any size and encoding arrive', async () => {
    await using server = await testServer()
    const bytes = Buffer.alloc(300_000, 'abc ')
    const bodies: [string, Buffer][] = [
      ['', bytes],
      ['identity', bytes],
      ['gzip', gzipSync(bytes)],
      ['GZIP', gzipSync(bytes)],
      ['zstd', Buffer.concat([zstdCompressSync(bytes.subarray(0, 7)), zstdCompressSync(bytes.subarray(7))])],
      ['deflate', deflateSync(bytes)],
      ['zlib', deflateSync(bytes)],
      ['snappy', await compress([bytes], 'snappy')],
      ['x-snappy-framed', await compress([bytes], 'x-snappy-framed')],
      ['lz4', await compress([bytes], 'lz4')],
    ]
    for (const [encoding, body] of bodies) {
      const { status, text } = await post(server.url, body, encoding === '' ? {} : { 'content-encoding': encoding })
      expect([encoding, status, text.length]).toEqual([encoding, 200, bytes.length])
      expect(server.seen.at(-1)!.bytes.equals(bytes)).toBe(true)
    }
  })

  test('may be chunked', async () => {
    await using server = await testServer()
    using peer = await rawPeer(server.port)
    await peer.drip('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n')
    expect(await peer.until(text => text.endsWith('hello'))).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(server.seen[0]!.bytes).toEqual(HELLO)
  })

  test.each<[string, Buffer, Record<string, string>, number, RegExp]>([
    ['too large', Buffer.alloc(2000), {}, 400, /^http: request body too large, the limit is 1000 bytes$/],
    ['too large inside', gzipSync(Buffer.alloc(5000)), { 'content-encoding': 'gzip' }, 400, /too large/],
    ['too large a bomb', zstdCompressSync(Buffer.alloc(50 << 20)), { 'content-encoding': 'zstd' }, 400, /too large/],
    ['not gzip', HELLO, { 'content-encoding': 'gzip' }, 400, /not valid gzip/],
    ['cut short', gzipSync(HELLO).subarray(0, 12), { 'content-encoding': 'gzip' }, 400, /not valid gzip/],
    [
      'garbage behind zstd',
      Buffer.concat([zstdCompressSync(HELLO), HELLO]),
      { 'content-encoding': 'zstd' },
      400,
      /not valid zstd/,
    ],
    [
      'an unknown encoding',
      brotliCompressSync(HELLO),
      { 'content-encoding': 'br' },
      400,
      /^unsupported Content-Encoding: br$/,
    ],
  ])('%s: refused', async (_, body, fields, status, text) => {
    await using server = await testServer({ http: { max_request_body_size: 1000 } })
    const answer = await post(server.url, body, fields)
    expect(answer.status).toBe(status)
    expect(answer.text).toMatch(text)
    expect(server.seen).toEqual([])
    expect((await post(server.url, HELLO)).text).toBe('hello')
  })

  test('an encoding that is not configured is refused', async () => {
    await using server = await testServer({ http: { compression_algorithms: ['', 'zstd'] } })
    expect((await post(server.url, gzipSync(HELLO), { 'content-encoding': 'gzip' })).status).toBe(400)
    expect((await post(server.url, zstdCompressSync(HELLO), { 'content-encoding': 'zstd' })).status).toBe(200)
  })

  test('a chunked body over the limit is refused without reading it all', async () => {
    await using server = await testServer({ http: { max_request_body_size: 100_000 } })
    using peer = await rawPeer(server.port)
    peer.socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536), Buffer.from('\r\n')])
    for (let i = 0; i < 5; i++) peer.socket.write(chunk)
    expect(await peer.until(text => text.includes('bytes'))).toMatch(/^HTTP\/1\.1 400 .*too large/s)
    expect(await peer.closed).toMatch(/connection: close/i)
  })

  test('a hundred megabytes are refused at the head, and the sender gets to read why', async () => {
    await using server = await testServer()
    using peer = await rawPeer(server.port)
    peer.socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${100 << 20}\r\n\r\n`)
    for (let i = 0; i < 100; i++) peer.socket.write(Buffer.alloc(1 << 20))
    expect(await peer.closed).toMatch(/^HTTP\/1\.1 400 .*too large/s)
  })

  test('a sender that is refused while it sends is heard out for a moment, so that it can read why', async () => {
    const clock = new FakeClock()
    await using server = await testServer({ clock })
    using peer = await rawPeer(server.port, { allowHalfOpen: true })
    peer.socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${100 << 20}\r\n\r\n`)
    await peer.until(text => text.endsWith('bytes'))
    for (let i = 0; i < 20; i++) {
      await new Promise<void>((resolve, reject) =>
        peer.socket.write(Buffer.alloc(1 << 20), error => (error ? reject(error) : resolve())),
      )
    }
    await clock.advance(600)
    await until(() => {
      if (!peer.socket.destroyed) peer.socket.write('too late')
      return peer.socket.destroyed
    })
  })

  test('a body that stops coming is refused in time', async () => {
    const clock = new FakeClock()
    await using server = await testServer({ clock, http: { read_timeout: '5s' } })
    using peer = await rawPeer(server.port)
    peer.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhello')
    await until(() => clock.pending > 0)
    await clock.advance(4900)
    expect(peer.text).toBe('')
    await clock.advance(200)
    expect(await peer.until(text => text.includes('within'))).toMatch(/^HTTP\/1\.1 503 .*did not arrive within 5s/s)
    expect(server.seen).toEqual([])
  })

  test('a half-closed sender is answered when its request is whole', async () => {
    await using server = await testServer()
    using whole = await rawPeer(server.port)
    whole.socket.end('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello')
    expect(await whole.closed).toMatch(/200 OK.*hello$/s)
    using part = await rawPeer(server.port)
    part.socket.end('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\nhello')
    await part.closed
    expect(server.seen.length).toBe(1)
  })

  test('a sender that resets its connection at any stage harms nobody', async () => {
    const text = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello'
    await using server = await testServer()
    for (const cut of [0, 1, 3, 10, 30, text.length - 6, text.length - 1]) {
      using peer = await rawPeer(server.port)
      if (cut > 0) await new Promise(resolve => peer.socket.write(text.slice(0, cut), resolve))
      peer.socket.resetAndDestroy()
      await peer.closed
    }
    expect(server.seen).toEqual([])
    expect((await post(server.url, HELLO)).text).toBe('hello')
  })

  test('a sender that waits for leave to send gets it only when its body is wanted', async () => {
    await using server = await testServer({
      handle: async request => (request.path === '/no' ? { status: 404 } : { status: 200, body: await request.body() }),
    })
    using no = await rawPeer(server.port)
    no.socket.write('POST /no HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n')
    expect(await no.closed).toMatch(/^HTTP\/1\.1 404/)
    using yes = await rawPeer(server.port)
    yes.socket.write('POST /yes HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n')
    await yes.until(text => text.startsWith('HTTP/1.1 100 Continue\r\n\r\n'))
    yes.socket.write('hello')
    await yes.until(text => text.endsWith('hello'))
  })
})

describe('over HTTP/2', () => {
  test('requests are answered, and a body is as long as it said', async () => {
    await using server = await testServer()
    using peer = await h2Peer(server.url)
    const fields = { ':method': 'POST', ':path': '/x', 'content-type': 'application/json' }
    expect((await peer.request(fields, Buffer.alloc(300_000, 'x'))).body.length).toBe(300_000)
    expect((await peer.request({ ...fields, 'content-encoding': 'gzip' }, gzipSync(HELLO))).text).toBe('hello')
    const big = await peer
      .request({ ...fields, 'content-length': 30 << 20 }, Buffer.alloc(1 << 20))
      .catch(() => 'reset')
    expect(big).toBeDefined()
    expect(server.seen.length).toBe(2)
  })

  test.each([
    ['with content-length', { 'content-length': '500' }],
    ['without', {}],
  ])('a body cut by a reset is not taken, %s', async (_, more) => {
    await using server = await testServer()
    using peer = await h2Peer(server.url)
    for (const code of [0, 2, 7, 8]) {
      const stream = peer.session.request({ ':method': 'POST', ':path': '/', ...more })
      stream.on('error', () => {})
      await new Promise<void>(resolve => stream.write(HELLO, () => resolve()))
      stream.close(code)
      await new Promise<void>(resolve => stream.on('close', () => resolve()))
    }
    expect((await peer.request({ ':method': 'POST', ':path': '/' }, Buffer.from('good'))).text).toBe('good')
    expect(server.seen.map(each => each.bytes.toString())).toEqual(['good'])
  })

  test('a stream reset before its end is not taken', async () => {
    await using server = await testServer()
    using peer = await framePeer(server.port)
    const fields = { ':method': 'POST', ':scheme': 'http', ':path': '/', ':authority': 'x' }
    peer.send(PREFACE)
    for (const [i, code] of [0, 2, 7, 8].entries()) {
      const stream = 1 + 2 * i
      peer.send(headers(stream, fields), data(stream, HELLO, 0), rst(stream, code))
    }
    peer.send(headers(99, fields), data(99, Buffer.from('good')))
    await peer.frame(FRAME.DATA, 99)
    expect(server.seen.map(each => each.bytes.toString())).toEqual(['good'])
  })

  test('HEAD and empty answers end with their head', async () => {
    await using server = await testServer({ handle: async () => ({ status: 200, body: 'text' }) })
    using peer = await h2Peer(server.url)
    const head = await peer.request({ ':method': 'HEAD', ':path': '/' })
    expect([head.headers['content-length'], head.text]).toEqual(['4', ''])
  })
})

describe('errors', () => {
  test('of the handler become the status that belongs to their code', async () => {
    let error: Error = new Error('no')
    await using server = await testServer({
      handle: async () => {
        throw error
      },
    })
    const cases: [Error, number, string | null][] = [
      [new Error('no'), 503, null],
      [new PermanentError('no'), 500, null],
      [new PermanentError('no', { code: Code.INVALID_ARGUMENT }), 400, null],
      [new PermanentError('no', { code: Code.UNAUTHENTICATED }), 401, null],
      [new PermanentError('no', { code: Code.PERMISSION_DENIED }), 403, null],
      [new RetryableError('no', { after: 2900 }), 503, '2'],
      [new RetryableError('no', { code: Code.RESOURCE_EXHAUSTED, after: 500 }), 429, '0'],
      [new RetryableError('no', { code: Code.RESOURCE_EXHAUSTED }), 429, null],
      [new RetryableError('no', { code: Code.DATA_LOSS }), 503, null],
    ]
    for (const [each, status, retryAfter] of cases) {
      error = each
      const answer = await post(server.url, HELLO)
      expect([answer.status, answer.headers.get('retry-after'), answer.text]).toEqual([status, retryAfter, 'no'])
    }
  })

  test('are written by the service when it has a form for them', async () => {
    const server = await openServer({
      endpoint: '127.0.0.1:0',
      logger: new RecordingLogger(),
      clock: new FakeClock(),
      http: {
        settings: httpSettings(httpConfig()),
        handle: async () => {
          throw new PermanentError('no')
        },
        refuse: (request, status, why) => ({ status, body: `${request.path} ${why.code} ${why.message}` }),
      },
    })
    const answer = await post(`http://127.0.0.1:${server.port}/p?q=1`, HELLO)
    expect([answer.status, answer.text]).toEqual([500, '/p 13 no'])
    await server.close(0)
  })
})

describe('headers', () => {
  test('configured ones are on every answer, over both versions', async () => {
    await using server = await testServer({ http: { response_headers: { 'X-Served-By': 'us', connection: 'x' } } })
    expect((await post(server.url, HELLO)).headers.get('x-served-by')).toBe('us')
    using peer = await h2Peer(server.url)
    expect((await peer.request({ ':method': 'POST', ':path': '/' }, HELLO)).headers['x-served-by']).toBe('us')
  })

  test('of the request reach the pipeline only when told to', async () => {
    await using plain = await testServer()
    await post(plain.url, HELLO, { tenant: 'a' })
    expect([...plain.seen[0]!.context.metadata]).toEqual([])
    await using server = await testServer({ http: { include_metadata: true } })
    using peer = await rawPeer(server.port)
    peer.socket.write('POST / HTTP/1.1\r\nHost: x\r\nTenant: a\r\nTENANT: b\r\nContent-Length: 0\r\n\r\n')
    await peer.until(text => text.includes('200'))
    expect(server.seen[0]!.context.metadata.get('tenant')).toEqual(['a', 'b'])
    expect(server.seen[0]!.context.metadata.get('host')).toEqual(['x'])
    expect(server.seen[0]!.context.clientAddress).toBe(`127.0.0.1:${peer.socket.localPort}`)
  })

  test('keep_alives_enabled: false closes after each answer', async () => {
    await using server = await testServer({ http: { keep_alives_enabled: false } })
    using peer = await rawPeer(server.port)
    peer.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n')
    expect(await peer.closed).toMatch(/connection: close/i)
  })
})
