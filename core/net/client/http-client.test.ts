import { readFileSync } from 'node:fs'
import * as http from 'node:http'
import * as https from 'node:https'
import * as net from 'node:net'
import * as zlib from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Code } from '#core/component'
import { FakeClock, until } from '#core/testing'
import { authority, type Certificate, certificate } from '../certificates.test-support.ts'
import { deadPort, httpClient, type Peer, rawServer, refusal } from './rig.test-support.ts'

const uncaught: unknown[] = []
const remember = (error: unknown) => void uncaught.push(error)
beforeAll(() => void process.on('uncaughtException', remember).on('unhandledRejection', remember))
afterAll(() => {
  process.off('uncaughtException', remember).off('unhandledRejection', remember)
  expect(uncaught).toEqual([])
})

interface Seen {
  readonly url: string | undefined
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

interface HttpPeer extends Peer {
  readonly url: string
  readonly seen: Seen[]
  /** Connections so far. */
  readonly connections: () => number
  readonly server: http.Server
}

type Answer = (request: Seen, response: http.ServerResponse, count: number) => void
const ok: Answer = (_request, response) => void response.end('taken')

/** A `node:http` server; over TLS with `certificate`. */
async function httpServer(answer: Answer = ok, secure?: https.ServerOptions): Promise<HttpPeer> {
  const seen: Seen[] = []
  const onRequest = (request: http.IncomingMessage, response: http.ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      seen.push({ url: request.url, headers: request.headers, body: Buffer.concat(chunks) })
      answer(seen.at(-1)!, response, seen.length)
    })
  }
  const server = secure === undefined ? http.createServer(onRequest) : https.createServer(secure, onRequest)
  let connections = 0
  server.on('connection', () => connections++)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  return {
    server,
    seen,
    port,
    connections: () => connections,
    endpoint: `127.0.0.1:${port}`,
    url: `${secure === undefined ? 'http' : 'https'}://127.0.0.1:${port}/v1/traces`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const TYPE = { 'content-type': 'application/x-protobuf' }
const HELLO = [Buffer.from('hello')]

describe('a post', () => {
  test.each([
    ['nothing', []],
    ['one piece', [Buffer.from('one')]],
    ['small pieces', Array.from({ length: 50 }, (_, i) => Buffer.alloc(700, i))],
    [
      'large and small pieces',
      [Buffer.alloc(90_000, 'a'), Buffer.from('b'), Buffer.alloc(0), Buffer.alloc(40_000, 'c')],
    ],
    ['many pieces', Array.from({ length: 200 }, (_, i) => Buffer.alloc(i % 7 === 0 ? 20_000 : 900, i))],
  ])('of %s arrives whole, with its length told', async (_, pieces) => {
    await using server = await httpServer()
    await using client = await httpClient({ headers: { 'X-Tenant': 'a', 'Content-Type': 'overridden' } })
    const reply = await client.post(server.url, pieces, TYPE)
    expect([reply.status, reply.body.toString()]).toEqual([200, 'taken'])
    const [{ url, headers, body } = expect.unreachable()] = server.seen
    expect(body.equals(Buffer.concat(pieces))).toBe(true)
    expect(url).toBe('/v1/traces')
    expect(headers).toMatchObject({
      ...TYPE,
      'content-length': String(body.length),
      'user-agent': 'test/1',
      'x-tenant': 'a',
      host: server.endpoint,
    })
    expect(headers['transfer-encoding']).toBeUndefined()
  })

  test('shows any answer, headers and all', async () => {
    await using server = await httpServer((_request, response) => {
      response.writeHead(503, { 'Retry-After': '7', 'Content-Type': 'application/json' }).end('{"code":14}')
    })
    await using client = await httpClient()
    const reply = await client.post(server.url, HELLO, TYPE)
    expect(reply.status).toBe(503)
    expect(reply.headers).toMatchObject({ 'retry-after': '7', 'content-type': 'application/json' })
    expect(reply.body.toString()).toBe('{"code":14}')
  })

  test('asks for another host when told to', async () => {
    await using server = await httpServer()
    await using client = await httpClient({ headers: { Host: 'other.example', 'User-Agent': 'mine/2' } })
    await client.post(server.url, HELLO, TYPE)
    expect(server.seen[0]!.headers).toMatchObject({ host: 'other.example', 'user-agent': 'mine/2' })
  })

  test('takes user and password from the URL, and headers from an authenticator', async () => {
    await using server = await httpServer()
    const url = server.url.replace('://', '://user:p%40ss@')
    await using client = await httpClient()
    await client.post(url, HELLO, TYPE)
    const authenticator = { headers: async () => ({ authorization: 'Bearer x' }) }
    await using proving = await httpClient({ headers: { Authorization: 'old' } }, { authenticator })
    await proving.post(server.url, HELLO, TYPE)
    expect(server.seen.map(request => request.headers.authorization)).toEqual([
      `Basic ${Buffer.from('user:p@ss').toString('base64')}`,
      'Bearer x',
    ])
  })

  test.each([
    ['gzip', zlib.gunzipSync],
    ['deflate', zlib.inflateSync],
    ['zstd', zlib.zstdDecompressSync],
  ] as const)('compressed by %s says so', async (compression, expand) => {
    await using server = await httpServer()
    await using client = await httpClient({ compression, compression_params: { level: 3 } })
    await client.post(server.url, [Buffer.alloc(50_000, 'a'), Buffer.alloc(50_000, 'b')], TYPE)
    const [{ headers, body } = expect.unreachable()] = server.seen
    expect(headers['content-encoding']).toBe(compression)
    expect(headers['content-length']).toBe(String(body.length))
    expect(expand(body).toString()).toBe('a'.repeat(50_000) + 'b'.repeat(50_000))
  })

  test('keeps 64 KiB of a long answer, and ends one without end', async () => {
    await using server = await httpServer((request, response) => {
      if (request.url === '/endless') {
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(100_000))) {}
        }
        response.on('drain', more)
        return more()
      }
      return void response.end(Buffer.alloc(200_000, 'x'))
    })
    await using client = await httpClient()
    expect((await client.post(server.url, HELLO, TYPE)).body.length).toBe(65_536)
    const endless = client.post(`http://${server.endpoint}/endless`, HELLO, TYPE)
    expect((await refusal(endless))[2]).toMatch(/the answer is too long$/)
  })
})

describe('connections', () => {
  test('are used again, unless disable_keep_alives', async () => {
    await using server = await httpServer()
    await using client = await httpClient()
    for (let i = 0; i < 9; i++) await client.post(server.url, HELLO, TYPE)
    // A connection rests for one turn of the event loop after each answer, so two take turns.
    const few = server.connections()
    expect(few).toBeLessThanOrEqual(2)
    await using closing = await httpClient({ disable_keep_alives: true })
    for (let i = 0; i < 3; i++) await closing.post(server.url, HELLO, TYPE)
    expect(server.connections()).toBe(few + 3)
  })

  test('are as many as requests under way, or max_conns_per_host', async () => {
    const held: (() => void)[] = []
    const hold: Answer = (_request, response) => void held.push(() => response.end())
    await using server = await httpServer(hold)
    await using client = await httpClient()
    const five = Array.from({ length: 5 }, () => client.post(server.url, HELLO, TYPE))
    await until(() => held.length === 5)
    for (const release of held.splice(0)) release()
    await Promise.all(five)
    await using limited = await httpClient({ max_conns_per_host: 2 })
    const before = server.connections()
    const more = Array.from({ length: 5 }, () => limited.post(server.url, HELLO, TYPE))
    for (let done = 0; done < 5; done++) {
      await until(() => held.length > 0)
      held.shift()!()
    }
    await Promise.all(more)
    expect(server.connections() - before).toBe(2)
  })

  test('that the server closes just when they are used again cost nothing', async () => {
    let connections = 0
    let resets = 0
    await using server = await rawServer(socket => {
      let requests = 0
      const first = ++connections === 1
      socket.on('data', () => {
        if (first && ++requests > 1) {
          resets++
          socket.resetAndDestroy()
        } else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
      })
    })
    await using client = await httpClient()
    const url = `http://${server.endpoint}/`
    for (let i = 0; i < 6; i++) expect((await client.post(url, HELLO, TYPE)).body.toString()).toBe('ok')
    expect(resets).toBe(1)
  })

  test('that are reset when fresh are a failure, told once', async () => {
    let connections = 0
    await using server = await rawServer(socket => {
      connections++
      socket.on('data', () => socket.resetAndDestroy())
    })
    await using client = await httpClient()
    const [name, code, message] = await refusal(client.post(`http://${server.endpoint}/a`, HELLO, TYPE))
    expect([name, code, connections]).toEqual(['RetryableError', Code.UNAVAILABLE, 1])
    expect(message).toMatch(new RegExp(`^Request to http://${server.endpoint}/a failed: .*(ECONNRESET|closed)`))
  })
})

describe('a server that', () => {
  test.each<[string, (socket: net.Socket) => void]>([
    ['answers garbage', socket => socket.on('data', () => socket.end('no HTTP at all\r\n\r\n'))],
    ['hangs up at once', socket => socket.end()],
    ['hangs up after reading', socket => socket.on('data', () => socket.end())],
    ['hangs up within the head', socket => socket.on('data', () => socket.end('HTTP/1.1 200 O'))],
    [
      'hangs up within the body',
      socket => socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nhalf')),
    ],
    [
      'sends a head without end',
      socket =>
        socket.on('data', () => {
          socket.write('HTTP/1.1 200 OK\r\n')
          socket.write(`x: ${'y'.repeat(100_000)}\r\n`)
        }),
    ],
    ['speaks HTTP/2', socket => socket.write(Buffer.from('000000040000000000', 'hex'))],
  ])('%s leaves a retryable error', async (_, act) => {
    await using server = await rawServer(act)
    await using client = await httpClient()
    expect((await refusal(client.post(`http://${server.endpoint}/`, HELLO, TYPE))).slice(0, 2)).toEqual([
      'RetryableError',
      Code.UNAVAILABLE,
    ])
  })

  test('is not there is named', async () => {
    const url = `http://127.0.0.1:${await deadPort()}/v1/traces`
    await using client = await httpClient()
    const [name, code, message] = await refusal(client.post(url, HELLO, TYPE))
    expect([name, code]).toEqual(['RetryableError', Code.UNAVAILABLE])
    expect(message).toMatch(/^Request to http:.*\/v1\/traces failed: Could not connect to .*: connect ECONNREFUSED/)
  })

  test('is silent is left after the timeout', async () => {
    await using server = await httpServer(() => {})
    const clock = new FakeClock()
    await using client = await httpClient({ timeout: '3s' }, { clock })
    const posted = refusal(client.post(server.url, HELLO, TYPE))
    await until(() => server.seen.length === 1)
    await clock.advance(3050)
    expect(await posted).toEqual(['RetryableError', Code.DEADLINE_EXCEEDED, 'No answer within the timeout of 3000 ms'])
  })

  test('answers before the whole body is sent is heard', async () => {
    await using server = await rawServer(socket => {
      socket.once('data', () => {
        socket.pause()
        socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
      })
    })
    await using client = await httpClient()
    const body = Array.from({ length: 40 }, () => Buffer.alloc(1 << 20))
    const outcome = await client.post(`http://${server.endpoint}/`, body, TYPE).then(
      reply => reply.status,
      error => error.code,
    )
    expect([413, Code.UNAVAILABLE]).toContain(outcome)
  })

  test('is given up when the caller is', async () => {
    await using server = await httpServer(() => {})
    await using client = await httpClient()
    const controller = new AbortController()
    const posted = refusal(client.post(server.url, HELLO, TYPE, { signal: controller.signal }))
    await until(() => server.seen.length === 1)
    controller.abort(new Error('shutting down'))
    expect(await posted).toEqual(['RetryableError', Code.CANCELLED, 'Request was cancelled: shutting down'])
    const late = client.post(server.url, HELLO, TYPE, { signal: controller.signal })
    expect((await refusal(late))[1]).toBe(Code.CANCELLED)
    expect(server.seen).toHaveLength(1)
  })
})

describe('over TLS', () => {
  const secure = (name: Certificate, more: https.ServerOptions = {}): https.ServerOptions => {
    const { cert_file, key_file } = certificate(name)
    return { cert: readFileSync(cert_file), key: readFileSync(key_file), ...more }
  }
  const CA = { ca_file: authority('ca') }
  const mutual = { requestCert: true, rejectUnauthorized: true, ca: readFileSync(authority('ca')) }
  test.each<[string, https.ServerOptions, object, RegExp]>([
    ['a trusted server', secure('server'), CA, /^200$/],
    ['an untrusted server', secure('foreign'), CA, /unable to verify the first certificate$/],
    ['an expired certificate', secure('expired'), CA, /certificate has expired$/],
    ['another name', secure('elsewhere'), CA, /does not match certificate's altnames/],
    ['an overridden name', secure('elsewhere'), { ...CA, server_name_override: 'elsewhere.example' }, /^200$/],
    ['no verification', secure('foreign'), { insecure_skip_verify: true }, /^200$/],
    ['insecure, which means nothing to https', secure('server'), { insecure: true }, /unable to verify/],
    ['a wanted certificate', secure('server', mutual), { ...CA, ...certificate('client') }, /^200$/],
    ['a certificate of someone else', secure('server', mutual), { ...CA, ...certificate('foreign-client') }, /failed/],
    ['no certificate though one is wanted', secure('server', mutual), CA, /failed/],
  ])('%s', async (_, options, tls, result) => {
    await using server = await httpServer(ok, options)
    await using client = await httpClient({ tls })
    const outcome = client.post(server.url, HELLO, TYPE).then(
      reply => String(reply.status),
      error => error.message,
    )
    expect(await outcome).toMatch(result)
  })

  test('through a proxy', async () => {
    await using server = await httpServer(ok, secure('elsewhere'))
    await using proxy = await httpServer()
    const asked: (string | undefined)[] = []
    proxy.server.on('connect', (request, socket: net.Socket) => {
      asked.push(request.url)
      const onward = net.connect(server.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        onward.pipe(socket).pipe(onward)
      })
      for (const end of [socket, onward]) end.on('error', () => {})
    })
    await using client = await httpClient({ tls: CA, proxy_url: `http://${proxy.endpoint}` })
    expect((await client.post('https://elsewhere.example/v1/traces', HELLO, TYPE)).status).toBe(200)
    expect(asked).toEqual(['elsewhere.example:443'])
    expect(server.seen[0]!.headers.host).toBe('elsewhere.example')
  })
})

test('a proxy is handed plain requests whole', async () => {
  await using proxy = await httpServer()
  const environment = { HTTP_PROXY: `http://user:pass@${proxy.endpoint}` }
  await using client = await httpClient({}, { environment })
  expect((await client.post('http://backend.example:4318/v1/logs?x=1', HELLO, TYPE)).status).toBe(200)
  expect(proxy.seen[0]).toMatchObject({
    url: 'http://backend.example:4318/v1/logs?x=1',
    headers: {
      host: 'backend.example:4318',
      'proxy-authorization': `Basic ${Buffer.from('user:pass').toString('base64')}`,
    },
    body: HELLO[0],
  })
})

test('cookies are kept and sent back when asked for', async () => {
  const answer: Answer = (_request, response, count) => {
    if (count === 1) response.setHeader('set-cookie', ['session=1; Path=/v1', 'other=2; Path=/elsewhere'])
    response.end()
  }
  await using server = await httpServer(answer)
  await using client = await httpClient({ cookies: { enabled: true } })
  for (let i = 0; i < 2; i++) await client.post(server.url, HELLO, TYPE)
  expect(server.seen.map(request => request.headers.cookie)).toEqual([undefined, 'session=1'])
  await using plain = await httpClient()
  await plain.post(server.url, HELLO, TYPE)
  expect(server.seen[2]!.headers.cookie).toBeUndefined()
})

test('closing lets requests under way finish', async () => {
  const held: (() => void)[] = []
  await using server = await httpServer((_request, response) => void held.push(() => response.end('late')))
  const client = await httpClient()
  const posted = client.post(server.url, HELLO, TYPE)
  await until(() => held.length === 1)
  const closed = client.close()
  held[0]!()
  expect((await posted).body.toString()).toBe('late')
  await closed
})
