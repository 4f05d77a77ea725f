/** Clients under test, and peers that are not ours. */
import { once } from 'node:events'
import * as http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import * as net from 'node:net'
import * as grpc from '@grpc/grpc-js'
import { expect } from 'vitest'
import { Refusal, systemClock } from '#core/component'
import { t } from '#core/config'
import { configure, RecordingLogger } from '#core/testing'
import { createGrpcClient, type GrpcClient, type GrpcClientDeps } from './grpc-client.ts'
import { grpcClientFields } from './grpc-client-options.ts'
import { createHttpClient, type HttpClient, type HttpClientDeps } from './http-client.ts'
import { httpClientFields } from './http-client-options.ts'

export const METHOD = '/test.Service/Call'

export function grpcConfig(written: object = {}) {
  return configure(t.section(grpcClientFields()), { tls: { insecure: true }, ...written })
}

export function httpConfig(written: object = {}) {
  return configure(t.section(httpClientFields()), written)
}

/** `await using client = await grpcClient({ endpoint })`; plaintext unless `tls` is written. */
export async function grpcClient(
  written: object,
  deps: Partial<GrpcClientDeps> = {},
): Promise<GrpcClient & AsyncDisposable> {
  const given = { clock: systemClock, logger: new RecordingLogger(), userAgent: 'test/1', ...deps }
  const client = await createGrpcClient(grpcConfig(written), given)
  return { call: client.call.bind(client), close: () => client.close(), [Symbol.asyncDispose]: () => client.close() }
}

export async function httpClient(
  written: object = {},
  deps: Partial<HttpClientDeps> = {},
): Promise<HttpClient & AsyncDisposable> {
  const given = { clock: systemClock, logger: new RecordingLogger(), userAgent: 'test/1', ...deps }
  const client = await createHttpClient(httpConfig(written), given)
  return {
    post: client.post.bind(client),
    get: client.get.bind(client),
    close: () => client.close(),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

export interface Peer extends AsyncDisposable {
  /** `127.0.0.1:port` */
  readonly endpoint: string
  readonly port: number
}

type GrpcJsCall = grpc.ServerUnaryCall<Buffer, Buffer>
type GrpcJsDone = grpc.sendUnaryData<Buffer>
export interface GrpcJsOptions {
  readonly credentials?: grpc.ServerCredentials
  readonly options?: grpc.ServerOptions
  /** Default `127.0.0.1:0`. */
  readonly address?: string
}

/** A grpc-js server with one method, {@link METHOD}; it gives back what it gets unless told otherwise. */
export async function grpcJsServer(
  answer: (call: GrpcJsCall, done: GrpcJsDone) => void = (call, done) => done(null, call.request),
  { credentials = grpc.ServerCredentials.createInsecure(), options = {}, address = '127.0.0.1:0' }: GrpcJsOptions = {},
): Promise<Peer & { readonly server: grpc.Server; readonly calls: GrpcJsCall[] }> {
  const server = new grpc.Server({ 'grpc.max_receive_message_length': 64 << 20, ...options })
  const calls: GrpcJsCall[] = []
  const same = (bytes: Buffer) => bytes
  const method = {
    path: METHOD,
    requestStream: false,
    responseStream: false,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  }
  const call = (given: GrpcJsCall, done: GrpcJsDone) => {
    calls.push(given)
    answer(given, done)
  }
  server.addService({ call: method }, { call })
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(address, credentials, (error, bound) => (error ? reject(error) : resolve(bound)))
  })
  return {
    server,
    calls,
    port,
    endpoint: `127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => server.forceShutdown(),
  }
}

/** A server on raw `node:http2`, for everything that a polite gRPC server does not do. */
export async function http2Server(
  onStream: (stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders) => void,
  options: http2.ServerOptions = {},
  at: { readonly port?: number } = {},
): Promise<Peer & { readonly server: http2.Http2Server; readonly sessions: http2.ServerHttp2Session[] }> {
  const server = http2.createServer(options)
  const sessions: http2.ServerHttp2Session[] = []
  server.on('session', session => {
    sessions.push(session)
    session.on('error', () => {})
  })
  server.on('sessionError', () => {})
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    onStream(stream, headers)
  })
  server.listen(at.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    server,
    sessions,
    port,
    endpoint: `127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      for (const session of sessions) session.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** A server of bytes. */
export async function rawServer(
  onSocket: (socket: net.Socket) => void,
): Promise<Peer & { readonly sockets: net.Socket[] }> {
  const sockets: net.Socket[] = []
  const server = net.createServer(socket => {
    sockets.push(socket)
    socket.on('error', () => {})
    onSocket(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    sockets,
    port,
    endpoint: `127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** A length-prefixed message. */
export function framed(message: string | Buffer, flag = 0): Buffer {
  const body = Buffer.from(message)
  const prefix = Buffer.from([flag, 0, 0, 0, 0])
  prefix.writeUInt32BE(body.length, 1)
  return Buffer.concat([prefix, body])
}

/** Answers a call as a gRPC server does. */
export function answerOk(stream: http2.ServerHttp2Stream, message: string | Buffer = 'ok'): void {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
  stream.end(framed(message))
}

/** What a failed call tells: `[class, code, message]`. */
export async function refusal(call: Promise<unknown>): Promise<[string, number | undefined, string]> {
  const error = await call.then(
    value => expect.unreachable(`should have failed but gave ${value}`),
    (reason: unknown) => reason,
  )
  if (error instanceof Refusal) return [error.name, error.code, error.message]
  throw error
}

/** A port on which nobody listens. */
export async function deadPort(): Promise<number> {
  await using peer = await rawServer(() => {})
  return peer.port
}

/** An HTTP/2 frame. */
export function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(9)
  header.writeUIntBE(payload.length, 0, 3)
  header[3] = type
  header[4] = flags
  header.writeUInt32BE(stream, 5)
  return Buffer.concat([header, payload])
}

/** What a server says first. */
export const SETTINGS = frame(4, 0, 0)

/** A server's farewell. */
export function goaway({ lastStream = 0, code = 0, text = '' }): Buffer {
  const payload = Buffer.alloc(8)
  payload.writeUInt32BE(lastStream, 0)
  payload.writeUInt32BE(code, 4)
  return frame(7, 0, 0, Buffer.concat([payload, Buffer.from(text)]))
}
