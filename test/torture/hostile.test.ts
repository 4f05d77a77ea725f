/**
 * Senders that mean harm, against a whole collector in a process of its own. Each gets the right answer while a good
 * client beside it, over gRPC and HTTP, has every request answered, and the process stays up.
 */
import { writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encode } from '#core/data'
import { type TempDir, tempDir, until } from '#core/testing'
import { Program } from '../e2e/process.ts'

const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export'
const GOOD = encode('traces', { resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'good' }] }] }] })
const MIB = 1 << 20

let dir: TempDir
let program: Program
let [grpc, http] = ['', '']
let session: ClientHttp2Session
/** Answers of the good client that were not a success. */
const disturbed: string[] = []
let good = 0
let stop = false
let clients: Promise<unknown>

beforeAll(async () => {
  dir = await tempDir()
  const file = dir.file('config.yaml')
  await writeFile(
    file,
    JSON.stringify({
      receivers: {
        otlp: {
          protocols: {
            grpc: { endpoint: '127.0.0.1:0' },
            http: { endpoint: '127.0.0.1:0', read_timeout: '2s', read_header_timeout: '2s' },
          },
        },
      },
      exporters: { nop: null },
      service: {
        telemetry: { logs: { encoding: 'json' }, metrics: { level: 'none' } },
        pipelines: { traces: { receivers: ['otlp'], exporters: ['nop'] } },
      },
    }),
  )
  program = new Program(['--config', file])
  await until(() => program.logs().some(line => String(line.msg).startsWith('Everything is ready')))
  grpc = program.endpoint('Starting GRPC server')!
  http = program.endpoint('Starting HTTP server')!
  session = connectHttp2(`http://${grpc}`)
  session.on('error', error => disturbed.push(`session: ${error.message}`))
  clients = Promise.all([
    goodClient(async () => String((await call(GOOD)).status), '0'),
    goodClient(async () => String((await post(GOOD)).status), '200'),
  ])
})

afterAll(async () => {
  stop = true
  await clients
  session.close()
  program.signal('SIGTERM')
  const { code } = await program.exit
  await dir[Symbol.asyncDispose]()
  expect(code).toBe(0)
}, 30_000)

/** Sends one request after the other and remembers every answer that is not `success`. */
async function goodClient(send: () => Promise<string>, success: string): Promise<void> {
  while (!stop) {
    const answer = await send().catch((error: Error) => error.message)
    if (answer === success) good++
    else disturbed.push(answer)
    await new Promise(resolve => setImmediate(resolve))
  }
}

interface Reply {
  readonly status: number
  readonly body: string
}

/** A gRPC call on the good client's session, so that a victim shares the attacker's connection. */
function call(
  message: Buffer,
  options: {
    path?: string
    flag?: number
    length?: number
    headers?: Record<string, string>
    over?: ClientHttp2Session
  } = {},
): Promise<Reply> {
  const { path = EXPORT, flag = 0, length = message.length, headers = {}, over = session } = options
  const prefix = Buffer.alloc(5)
  prefix[0] = flag
  prefix.writeUInt32BE(length, 1)
  return new Promise((resolve, reject) => {
    const stream = over.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    })
    let status = -1
    let body = ''
    const done = () => resolve({ status, body: decodeURIComponent(body) })
    const read = (h: Record<string, unknown>) => {
      body += String(h['grpc-message'] ?? '')
      if (h['grpc-status'] === undefined) return
      status = Number(h['grpc-status'])
      // A refusal may come while the message is still being sent: it counts at once.
      done()
    }
    stream.on('response', h => {
      if (h[':status'] !== 200) status = Number(h[':status'])
      read(h)
    })
    stream.on('trailers', read)
    stream.on('data', () => {})
    stream.on('error', error => (status === -1 ? reject(error) : undefined))
    stream.on('close', done)
    stream.end(Buffer.concat([prefix, message]))
  })
}

async function post(
  body: Buffer | string,
  options: { path?: string; method?: string; headers?: Record<string, string>; at?: string } = {},
): Promise<Reply> {
  const { path = '/v1/traces', method = 'POST', headers = {}, at = http } = options
  const answer = await fetch(`http://${at}${path}`, {
    method,
    headers: { 'content-type': 'application/x-protobuf', ...headers },
    ...(method === 'GET' ? {} : { body: body as Buffer<ArrayBuffer> }),
  })
  return { status: answer.status, body: await answer.text() }
}

/** Field `tag` of a message: length-delimited. */
function field(tag: number, content: Buffer): Buffer {
  const length: number[] = []
  for (let n = content.length; ; n >>>= 7) {
    length.push(n > 127 ? (n & 127) | 128 : n)
    if (n <= 127) break
  }
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

/** A trace request with `inner` at `depth`: 1 in the request, 2 in resource_spans, 3 in scope_spans, 4 in the span. */
function at(depth: number, inner: Buffer): Buffer {
  const tags = [10, 18, 18].slice(0, depth - 1).reverse()
  return tags.reduce((content, tag) => field(tag, content), inner)
}

/** A span whose attribute's value nests `levels` arrays. */
function nestingBomb(levels: number): Buffer {
  let value: Buffer = Buffer.from([10, 0])
  for (let i = 0; i < levels; i++) value = field(42, field(10, value))
  return at(4, field(74, Buffer.concat([field(10, Buffer.from('k')), field(18, value)])))
}

const BAD_BODIES: readonly (readonly [string, Buffer])[] = [
  ['a truncated body', GOOD.subarray(0, GOOD.length - 1)],
  ...[1, 2, 3, 4].map(
    depth => [`a length that runs past its message at depth ${depth}`, at(depth, Buffer.from([10, 100, 1]))] as const,
  ),
  ...[1, 2, 3, 4].map(depth => [`a wrong wire type at depth ${depth}`, at(depth, Buffer.from([8, 1]))] as const),
  ['field number 0', Buffer.from([2, 0])],
  ['a varint without end', Buffer.alloc(30, 255)],
  ['a group', Buffer.from([11, 12])],
  ['a nesting bomb', nestingBomb(5000)],
  ['random bytes', Buffer.from('deadbeefcafebabe0123456789abcdef', 'hex')],
]

describe('bodies that are no OTLP are refused for good', () => {
  test.each(BAD_BODIES)('%s', async (_name, body) => {
    expect((await call(body)).status).toBe(3)
    expect((await post(body)).status).toBe(400)
  })

  test.each([
    '{',
    '[]',
    '"x"',
    '{"resourceSpans":[{"scopeSpans":"x"}]}',
    `${'['.repeat(100_000)}`,
    '{"resourceSpans":'.repeat(50_000),
  ])('JSON %#', async text => {
    expect((await post(text, { headers: { 'content-type': 'application/json' } })).status).toBe(400)
  })
})

describe('bodies that are too large', () => {
  test('100 MB over HTTP, announced and not', async () => {
    expect((await post(Buffer.alloc(100 * MIB))).status).toBe(400)
    expect(await chunked(100)).toMatch(/^HTTP\/1\.1 400/)
  })

  test('100 MB over gRPC', async () => {
    const own = connectHttp2(`http://${grpc}`, { maxSessionMemory: 1000 })
    own.on('error', () => {})
    expect((await call(Buffer.alloc(100 * MIB), { over: own })).status).toBe(8)
    own.destroy()
  })

  test.each(['gzip', 'zstd'] as const)('a %s bomb', async encoding => {
    const bomb = encoding === 'gzip' ? gzipSync(Buffer.alloc(200 * MIB)) : zstdCompressSync(Buffer.alloc(200 * MIB))
    expect(bomb.length).toBeLessThan(MIB)
    expect((await post(bomb, { headers: { 'content-encoding': encoding } })).status).toBe(400)
    expect((await call(bomb, { flag: 1, headers: { 'grpc-encoding': encoding } })).status).toBe(8)
  })
})

describe('encodings', () => {
  test('a zstd body of two frames is read whole', async () => {
    const half = GOOD.length >> 1
    const frames = Buffer.concat([zstdCompressSync(GOOD.subarray(0, half)), zstdCompressSync(GOOD.subarray(half))])
    expect((await post(frames, { headers: { 'content-encoding': 'zstd' } })).status).toBe(200)
    expect((await call(frames, { flag: 1, headers: { 'grpc-encoding': 'zstd' } })).status).toBe(0)
    const behind = Buffer.concat([zstdCompressSync(GOOD), Buffer.from('garbage')])
    expect((await post(behind, { headers: { 'content-encoding': 'zstd' } })).status).toBe(400)
  })

  test('unknown and false encodings', async () => {
    expect((await post(GOOD, { headers: { 'content-encoding': 'br' } })).status).toBe(400)
    expect((await post(GOOD, { headers: { 'content-encoding': 'gzip' } })).status).toBe(400)
    expect((await call(GOOD, { flag: 1, headers: { 'grpc-encoding': 'br' } })).status).toBe(12)
    expect((await call(GOOD, { flag: 1, headers: { 'grpc-encoding': 'gzip' } })).status).toBe(13)
    expect((await call(GOOD, { flag: 1 })).status).toBe(13)
  })
})

describe('requests that are none', () => {
  test('wrong content types', async () => {
    expect((await post(GOOD, { headers: { 'content-type': 'text/plain' } })).status).toBe(415)
    // Over HTTP/2 it is a request that is no gRPC, and nothing is served for HTTP at that path.
    expect((await call(GOOD, { headers: { 'content-type': 'text/plain' } })).status).toBe(404)
  })

  test('unknown methods and paths', async () => {
    expect((await post('', { method: 'GET' })).status).toBe(405)
    expect((await post(GOOD, { path: '/v2/traces' })).status).toBe(404)
    expect((await call(GOOD, { path: '/nobody/Home' })).status).toBe(12)
  })

  test('HTTP/1 on the gRPC port is understood, since either port serves both', async () => {
    expect((await post(GOOD, { at: grpc })).status).toBe(200)
  })

  test.each([
    ['garbage', 'x'.repeat(10_000)],
    ['a broken preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'],
    ['endless headers', `POST /v1/traces HTTP/1.1\r\n${'a: b\r\n'.repeat(20_000)}`],
    [
      'a request smuggled by two lengths',
      'POST /v1/traces HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello!',
    ],
  ])('%s on either port ends that connection only', async (_name, bytes) => {
    for (const address of [grpc, http]) {
      const socket = open(address)
      socket.write(bytes)
      await closed(socket)
    }
  })
})

describe('connections', () => {
  test('a body that never comes is not waited for', async () => {
    const socket = open(http)
    socket.write(
      'POST /v1/traces HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-protobuf\r\ncontent-length: 100\r\n\r\nabc',
    )
    await closed(socket)
  })

  test('a hundred slow senders', async () => {
    const sockets = Array.from({ length: 100 }, () => {
      const socket = open(http)
      socket.write('POST /v1/traces HTTP/1.1\r\nhost: x\r\n')
      return socket
    })
    await Promise.all(sockets.map(closed))
  })

  test('half-closed and reset sockets', async () => {
    for (let i = 0; i < 20; i++) {
      const half = open(http)
      half.end('POST /v1/traces HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nabc')
      await closed(half)
      const reset = open(i % 2 === 0 ? http : grpc)
      reset.write('PRI * HTTP/2.0\r\n')
      reset.resetAndDestroy()
    }
  })

  test('streams that are reset in the middle of a message', async () => {
    for (let i = 0; i < 50; i++) {
      const stream = session.request({
        ':method': 'POST',
        ':path': EXPORT,
        'content-type': 'application/grpc',
        te: 'trailers',
      })
      stream.on('error', () => {})
      stream.write(Buffer.from([0, 0, 0, 1, 0, 10]))
      stream.close(8)
      await new Promise(resolve => stream.on('close', resolve))
    }
  })
})

test('the good client beside all that was never disturbed', async () => {
  const before = good
  await until(() => good > before + 20)
  expect(disturbed).toEqual([])
  expect(good).toBeGreaterThan(200)
})

function open(address: string): Socket {
  const [host, port] = address.split(':')
  const socket = connect({ host: host!, port: Number(port), allowHalfOpen: true })
  socket.on('error', () => {})
  socket.resume()
  return socket
}

/** Resolves when the other side has ended the connection. */
function closed(socket: Socket): Promise<void> {
  return new Promise(resolve => {
    if (socket.readableEnded || socket.destroyed) return resolve()
    socket.once('close', () => resolve())
    socket.once('end', () => {
      socket.destroy()
      resolve()
    })
  })
}

/** A chunked body of `mib` MiB; gives the beginning of the answer. */
function chunked(mib: number): Promise<string> {
  const [host, port] = http.split(':')
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      host,
      port: Number(port),
      method: 'POST',
      path: '/v1/traces',
      headers: { 'content-type': 'application/x-protobuf' },
    })
    let answered = false
    request.on('response', response => {
      answered = true
      response.resume()
      resolve(`HTTP/1.1 ${response.statusCode}`)
      request.destroy()
    })
    request.on('error', error => answered || reject(error))
    const block = Buffer.alloc(MIB)
    let sent = 0
    const pump = () => {
      while (!answered && sent < mib) {
        sent++
        if (!request.write(block)) return void request.once('drain', pump)
      }
      if (!answered) request.end()
    }
    pump()
  })
}
