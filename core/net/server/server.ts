import type * as net from 'node:net'
import * as tls from 'node:tls'
import type { Clock, Logger } from '#core/component'
import type { ServerAuthenticator } from '../auth.ts'
import { loadServerTls, type ServerTls } from '../tls.ts'
import type { ServerTlsConfig } from '../tls-options.ts'
import type { Admission } from './admission.ts'
import { processBudget } from './byte-budget.ts'
import { Connections, peerOf } from './connections.ts'
import { Deadlines } from './deadlines.ts'
import { Handshakes } from './handshakes.ts'
import { createHttp1 } from './http1.ts'
import { createHttp2 } from './http2.ts'
import type { ListenTransport } from './listen-address.ts'
import { listen, type Owner } from './listening.ts'
import { type Port, Work } from './port.ts'
import { type Protocol, recognize } from './recognize.ts'
import type { GrpcService, HttpService, RawHttpService } from './service.ts'
import { DEFAULT_KEEPALIVE, DEFAULT_MAX_STREAMS } from './settings.ts'

/** One port and what is served there. */
export interface ServerSpec {
  /** See `parseListenAddress`. */
  readonly endpoint: string
  /** Default `tcp`. */
  readonly transport?: ListenTransport
  readonly tls?: ServerTlsConfig | undefined
  /** gRPC calls; without it they are answered UNIMPLEMENTED. */
  readonly grpc?: GrpcService | undefined
  /** HTTP requests, over HTTP/1.1 and HTTP/2. Not together with `raw`. */
  readonly http?: HttpService | undefined
  /** HTTP/1.1 requests for a library that reads and answers by itself. */
  readonly raw?: RawHttpService | undefined
  readonly authenticator?: ServerAuthenticator | undefined
  readonly admissions?: readonly Admission[]
  /**
   * Who listens, for example a component id. A second server of the same owner and endpoint takes the socket over from
   * the first, so that a reload closes no port.
   */
  readonly owner?: string
  /**
   * The collector that the owner belongs to, for example its `build`: a socket is taken over only within it, since several
   * collectors of one process may have owners of the same name.
   */
  readonly within?: object
  readonly logger: Logger
  readonly clock: Clock
}

/** A listening server. */
export interface Server {
  /** `ip:port` with the real port, or the path. */
  readonly address: string
  /** The real port; 0 on a path. */
  readonly port: number
  /**
   * Stops listening, lets what is under way be answered, and resolves once every connection is closed and every handler
   * has settled, at the latest after `graceMs` milliseconds. With `park` the port stays open for so many milliseconds more,
   * for a successor of the same owner; who connects meanwhile is served by the successor.
   */
  close(graceMs: number, options?: { readonly park?: number }): Promise<void>
}

/** Milliseconds for requests that were sent, on new or idle connections, before their peers could know of the end. */
const LAST_CALL = 250
/** Milliseconds for the first three bytes, or for the TLS handshake. */
const OPENING_TIMEOUT = 10_000

/**
 * Listens and serves. HTTP/1.1 and HTTP/2 are told apart by the first bytes of a connection, under TLS by ALPN.
 * @throws {InvalidEndpoint} for an endpoint that cannot be listened on
 * @throws {Error} when the address is taken or not ours, or certificates cannot be read
 */
export async function openServer(spec: ServerSpec): Promise<Server> {
  const { grpc, http, raw, logger, clock } = spec
  const secure = spec.tls === undefined ? undefined : await loadServerTls(spec.tls, { clock, logger })
  const port: Port = {
    ...{ grpc, http, raw, logger, clock },
    authenticator: spec.authenticator,
    admissions: [...(spec.admissions ?? []), processBudget],
    deadlines: new Deadlines(clock),
    work: new Work(),
  }
  const connections = new Connections()
  /** Sockets of which it is not known yet what they speak. */
  const opening = new Set<net.Socket>()
  const settings = http?.settings ?? raw?.settings
  if (settings?.cors?.allowed_origins.length === 0 && settings.cors.allowed_headers.length > 0) {
    logger.warn('The CORS configuration specifies allowed headers but no allowed origins, and is therefore ignored.')
  }
  const http1 = settings === undefined ? undefined : createHttp1(port, settings, connections)
  const http2 = createHttp2(
    port,
    grpc?.settings.maxStreams ?? DEFAULT_MAX_STREAMS,
    grpc?.settings.keepalive ?? DEFAULT_KEEPALIVE,
  )
  const complain = complainer(logger)

  const serve = (socket: net.Socket, protocol: Protocol) => {
    if (protocol === 'http2' && raw === undefined) return http2.serve(socket)
    if (protocol === 'http1' && http1 !== undefined) return http1.serve(socket)
    complain(protocol, socket)
    socket.end(protocol === 'http1' ? WRONG_PROTOCOL : '')
    socket.resume()
    port.deadlines.after(OPENING_TIMEOUT, () => socket.destroy())
  }
  const plain = (socket: net.Socket) => {
    const deadline = port.deadlines.after(OPENING_TIMEOUT, () => socket.destroy())
    const opened = () => {
      port.deadlines.delete(deadline)
      opening.delete(socket)
    }
    opening.add(socket)
    socket.once('close', opened)
    recognize(socket, protocol => {
      opened()
      serve(socket, protocol)
    })
  }
  const handshakes = new Handshakes()
  const secured = (socket: net.Socket, protocol: Protocol) => {
    handshakes.end(socket)
    serve(socket, protocol)
  }
  const encrypted =
    secure === undefined ? undefined : createTls(secure, http1 !== undefined, raw === undefined, secured)
  encrypted?.on('tlsClientError', (error, socket) => {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SSL_HTTP_REQUEST') complain('plaintext', socket)
    else logger.debug('TLS handshake failed', { error, peer: peerOf(socket) })
  })

  const release = async () => {
    port.deadlines.clear()
    secure?.close()
    connections.closed()
  }
  const listening = await listen(spec.endpoint, spec.transport ?? 'tcp', ownerOf(spec), clock, socket => {
    connections.add(socket)
    if (encrypted === undefined) return plain(socket)
    handshakes.begin(socket)
    encrypted.emit('connection', socket)
  }).catch(async (error: unknown) => {
    await release()
    throw error
  })

  const close = async (graceMs: number, park: number) => {
    port.work.closing = true
    await listening.release(park)
    http2.drain()
    const endIdle = () => {
      http1?.endIdle()
      for (const socket of opening) socket.destroy()
      handshakes.destroy()
    }
    // Timers come before sockets in a turn of the loop: what a busy loop has not read yet is read first.
    const lastCall = setTimeout(() => setImmediate(endIdle), LAST_CALL)
    const done = Promise.all([connections.gone(), port.work.done()])
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = clock.after(graceMs, resolve)
    await Promise.race([done, late])
    timer.cancel()
    clearTimeout(lastCall)
    connections.destroy()
    await release()
  }
  let closing: Promise<void> | undefined
  return {
    address: listening.address,
    port: listening.port,
    close: (graceMs, { park = 0 } = {}) => (closing ??= close(graceMs, park)),
  }
}

function createTls(
  secure: ServerTls,
  http1: boolean,
  http2: boolean,
  serve: (socket: net.Socket, protocol: Protocol) => void,
): tls.Server {
  const offered = [...(http2 ? ['h2'] : []), ...(http1 ? ['http/1.1'] : [])]
  const server = tls.createServer({ ...secure.options, ALPNProtocols: offered, handshakeTimeout: OPENING_TIMEOUT })
  secure.onReload(options => server.setSecureContext(options))
  server.on('secureConnection', socket => {
    socket.on('error', () => {})
    serve(socket, socket.alpnProtocol === 'h2' ? 'http2' : 'http1')
  })
  return server
}

const WRONG_PROTOCOL =
  'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\nthis port speaks gRPC only\n'

/** Says once at warning level, then at debug level, that somebody speaks the wrong language to this port. */
function complainer(logger: Logger): (what: Protocol | 'plaintext', socket: net.Socket) => void {
  const said = new Set<string>()
  return (what, socket) => {
    const fields = { peer: peerOf(socket) }
    if (said.has(what)) return logger.debug(COMPLAINTS[what], fields)
    said.add(what)
    logger.warn(COMPLAINTS[what], fields)
  }
}

const COMPLAINTS = {
  http1: 'A client speaks HTTP/1.1 to a port that speaks gRPC only',
  http2: 'A client speaks HTTP/2 to a port that speaks HTTP/1.1 only',
  tls: 'A client speaks TLS to a port without TLS',
  plaintext: 'A client speaks plaintext to a port with TLS',
} as const

function ownerOf({ owner, within }: ServerSpec): Owner | undefined {
  return owner === undefined ? undefined : { name: owner, within }
}
