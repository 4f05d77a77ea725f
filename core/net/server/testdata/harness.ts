/** A server under test and peers that are not ours: grpc-js, raw sockets that speak HTTP/1.1 and HTTP/2 frames. */
import { once } from 'node:events'
import * as http2 from 'node:http2'
import * as net from 'node:net'
import * as grpc from '@grpc/grpc-js'
import { type ConsumeContext, systemClock } from '#core/component'
import { configure, RecordingLogger } from '#core/testing'
import { t } from '#core/config'
import { grpcServerFields } from '../grpc-server-options.ts'
import { httpServerFields } from '../http-server-options.ts'
import { openServer, type ServerSpec } from '../server.ts'
import type { HttpAnswer, HttpRequest, UnaryHandler } from '../service.ts'
import { grpcSettings, httpSettings } from '../settings.ts'

export const METHOD = '/test.Service/Call'

export const grpcConfig = (written: object = {}) =>
  configure(t.section(grpcServerFields({ endpoint: '127.0.0.1:0' })), written)
export const httpConfig = (written: object = {}) =>
  configure(t.section(httpServerFields({ endpoint: '127.0.0.1:0' })), written)

export interface Seen {
  readonly bytes: Buffer
  readonly context: ConsumeContext
}

export interface TestServerOptions extends Partial<Omit<ServerSpec, 'grpc' | 'http'>> {
  /** Written under the gRPC section, or `false` for no gRPC. */
  readonly grpc?: object | false
  readonly http?: object | false
  /** What the gRPC method and the HTTP handler do with a message; by default they give it back. */
  readonly answer?: (bytes: Buffer, context: ConsumeContext) => Promise<Buffer>
  readonly handle?: (request: HttpRequest) => Promise<HttpAnswer>
}

/** `await using server = await testServer()`: everything it was handed is in `seen`. */
export async function testServer(options: TestServerOptions = {}) {
  const seen: Seen[] = []
  const logger = new RecordingLogger()
  const { grpc: grpcWritten, http: httpWritten, answer = async (bytes: Buffer) => bytes, handle, ...spec } = options
  const call: UnaryHandler = (bytes, context) => {
    seen.push({ bytes, context })
    return answer(bytes, context)
  }
  const server = await openServer({
    endpoint: '127.0.0.1:0',
    logger,
    clock: systemClock,
    ...(grpcWritten === false
      ? {}
      : { grpc: { settings: grpcSettings(grpcConfig(grpcWritten)), methods: new Map([[METHOD, call]]) } }),
    ...(httpWritten === false
      ? {}
      : {
          http: {
            settings: httpSettings(httpConfig(httpWritten)),
            handle:
              handle ??
              (async request => {
                const bytes = await request.body()
                seen.push({ bytes, context: request.context })
                return { status: 200, body: await answer(bytes, request.context) }
              }),
          },
        }),
    ...spec,
  })
  return {
    ...server,
    seen,
    logger,
    url: `http://127.0.0.1:${server.port}`,
    [Symbol.asyncDispose]: () => server.close(0),
  }
}


/** A POST by `fetch`. */
export async function post(url: string, body: Buffer, headers: Record<string, string> = {}) {
  const answer = await fetch(url, { method: 'POST', body: new Uint8Array(body), headers })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

export interface CallOptions {
  readonly path?: string
  readonly metadata?: Readonly<Record<string, string>>
  readonly deadline?: number
  readonly gzip?: boolean
  readonly credentials?: grpc.ChannelCredentials
  readonly channel?: grpc.ChannelOptions
}

/** A grpc-js client; identity serialisers, so what it sends is what the test says. */
export function grpcPeer(port: number, options: CallOptions = {}) {
  const client = new grpc.Client(`127.0.0.1:${port}`, options.credentials ?? grpc.credentials.createInsecure(), {
    'grpc.use_local_subchannel_pool': 1,
    ...(options.gzip ? { 'grpc.default_compression_algorithm': 2 } : {}),
    ...options.channel,
  })
  const identity = (bytes: Buffer) => bytes
  const start = (bytes: Buffer, each: CallOptions = {}) => {
    const metadata = new grpc.Metadata()
    for (const [name, value] of Object.entries(each.metadata ?? {})) metadata.set(name, value)
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
    const call = client.makeUnaryRequest(
      each.path ?? METHOD,
      identity,
      identity,
      bytes,
      metadata,
      each.deadline === undefined ? {} : { deadline: Date.now() + each.deadline },
      (error, answer) => (error === null ? resolve(answer!) : reject(error)),
    )
    return { call, answer: promise }
  }
  return {
    client,
    start,
    call: (bytes: Buffer, each?: CallOptions) => start(bytes, each).answer,
    /** The error of a call that fails. */
    fail: async (bytes: Buffer, each?: CallOptions): Promise<grpc.ServiceError> => {
      const outcome = await start(bytes, each).answer.then(
        answer => answer,
        error => error,
      )
      if (Buffer.isBuffer(outcome)) throw new Error('The call succeeded')
      return outcome
    },
    [Symbol.dispose]: () => client.close(),
  }
}

/** A raw socket; `text` is what has come back, `closed` settles with it when the other side is done. */
export async function rawPeer(port: number, options: net.NetConnectOpts | object = {}) {
  const socket = net.connect({ port, host: '127.0.0.1', ...options } as net.NetConnectOpts)
  const received: Buffer[] = []
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const look of waiting) look()
  }
  socket.on('error', () => {})
  socket.on('data', chunk => {
    received.push(chunk)
    wake()
  })
  const closed = new Promise<string>(resolve =>
    socket.on('close', () => {
      resolve(Buffer.concat(received).toString('latin1'))
      wake()
    }),
  )
  await once(socket, 'connect')
  const bytes = () => Buffer.concat(received)
  return {
    socket,
    closed,
    bytes,
    get text() {
      return bytes().toString('latin1')
    },
    /** Resolves once what has come back satisfies `condition`; rejects when the socket closes before. */
    async until(condition: (text: string) => boolean): Promise<string> {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      const look = () => {
        const text = bytes().toString('latin1')
        if (condition(text)) resolve(text)
        else if (socket.destroyed) reject(new Error(`The socket closed after: ${text}`))
      }
      waiting.add(look)
      look()
      return promise.finally(() => waiting.delete(look))
    },
    /** Sends byte by byte, each in a segment of its own. */
    async drip(bytes: Buffer | string): Promise<void> {
      socket.setNoDelay(true)
      for (const byte of Buffer.from(bytes)) {
        await new Promise(resolve => socket.write(Buffer.of(byte), resolve))
      }
    },
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

export interface Frame {
  readonly type: number
  readonly flags: number
  readonly stream: number
  readonly payload: Buffer
}

export const FRAME = { DATA: 0, HEADERS: 1, RST: 3, SETTINGS: 4, PING: 6, GOAWAY: 7, WINDOW_UPDATE: 8 } as const
export const END_STREAM = 1
const END_HEADERS = 4

export function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** A header block of literals without indexing (RFC 7541 §6.2.2), no Huffman. */
export function headerBlock(headers: Readonly<Record<string, string>>): Buffer {
  const text = (value: string) => {
    const bytes = Buffer.from(value, 'latin1')
    if (bytes.length < 127) return Buffer.concat([Buffer.of(bytes.length), bytes])
    const rest: number[] = []
    let length = bytes.length - 127
    for (; length >= 128; length >>= 7) rest.push((length & 127) | 128)
    return Buffer.concat([Buffer.from([127, ...rest, length]), bytes])
  }
  return Buffer.concat(Object.entries(headers).flatMap(([name, value]) => [Buffer.of(0), text(name), text(value)]))
}

export const GRPC_HEADERS = {
  ':method': 'POST',
  ':scheme': 'http',
  ':path': METHOD,
  ':authority': 'test',
  'content-type': 'application/grpc',
  te: 'trailers',
}

export const PREFACE = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  frame(FRAME.SETTINGS, 0, 0),
])

export const headers = (stream: number, fields: Readonly<Record<string, string>> = GRPC_HEADERS, flags = 0) =>
  frame(FRAME.HEADERS, END_HEADERS | flags, stream, headerBlock(fields))
export const data = (stream: number, payload: Buffer, flags = END_STREAM) => frame(FRAME.DATA, flags, stream, payload)
export const rst = (stream: number, code: number) => {
  const payload = Buffer.alloc(4)
  payload.writeUInt32BE(code)
  return frame(FRAME.RST, 0, stream, payload)
}
export const ping = () => frame(FRAME.PING, 0, 0, Buffer.alloc(8))

/** A gRPC message with its prefix. `length` may lie. */
export function message(bytes: Buffer, compressed = 0, length = bytes.length): Buffer {
  const prefix = Buffer.alloc(5)
  prefix[0] = compressed
  prefix.writeUInt32BE(length, 1)
  return Buffer.concat([prefix, bytes])
}

/** The whole frames in what has come back. */
export function framesOf(bytes: Buffer): Frame[] {
  const frames: Frame[] = []
  for (let at = 0; at + 9 <= bytes.length; ) {
    const length = bytes.readUIntBE(at, 3)
    if (at + 9 + length > bytes.length) break
    frames.push({
      type: bytes[at + 3]!,
      flags: bytes[at + 4]!,
      stream: bytes.readUInt32BE(at + 5) & 0x7fff_ffff,
      payload: bytes.subarray(at + 9, at + 9 + length),
    })
    at += 9 + length
  }
  return frames
}

/** A raw peer that speaks HTTP/2 frames. */
export async function framePeer(port: number) {
  const peer = await rawPeer(port)
  return Object.assign(peer, {
    send: (...frames: Buffer[]) => void peer.socket.write(Buffer.concat(frames)),
    frames: () => framesOf(peer.bytes()),
    /** The first frame of this kind, once it has come. */
    async frame(type: number, stream = 0): Promise<Frame> {
      const find = () => framesOf(peer.bytes()).find(each => each.type === type && each.stream === stream)
      await peer.until(() => find() !== undefined)
      return find()!
    },
  })
}


export interface H2Answer {
  readonly headers: Readonly<Record<string, string>>
  readonly trailers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** gRPC status wherever it stands. */
  readonly status: string | undefined
  readonly text: string
}

/** A peer that speaks HTTP/2 by `node:http2`: what it sends as body is what the test says. */
export async function h2Peer(authority: string, options: http2.SecureClientSessionOptions = {}) {
  const session = http2.connect(authority, options)
  session.on('error', () => {})
  await once(session, 'remoteSettings')
  return {
    session,
    async request(fields: http2.OutgoingHttpHeaders, body?: Buffer): Promise<H2Answer> {
      const stream = session.request(fields, { endStream: body === undefined })
      const { promise, resolve, reject } = Promise.withResolvers<H2Answer>()
      let headers = {}
      let trailers = {}
      const chunks: Buffer[] = []
      stream.on('response', given => {
        headers = given
      })
      stream.on('trailers', given => {
        trailers = given
      })
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('error', reject)
      stream.on('close', () => {
        const all: Record<string, string> = { ...headers, ...trailers }
        const bytes = Buffer.concat(chunks)
        resolve({ headers, trailers, body: bytes, status: all['grpc-status'], text: bytes.toString() })
      })
      if (body !== undefined) stream.end(body)
      return promise
    },
    [Symbol.dispose]: () => session.destroy(),
  }
}
