import * as http2 from 'node:http2'
import type { Socket } from 'node:net'
import { Code } from '#core/component'
import type { Exchange } from './exchange.ts'
import { GrpcCall } from './grpc-call.ts'
import { createHttpServe } from './http-service.ts'
import type { Port } from './port.ts'
import { SessionKeeper } from './session-keeper.ts'
import type { KeepaliveSettings } from './settings.ts'

/** HTTP/2 for sockets that others have accepted. */
export interface Http2 {
  serve(socket: Socket): void
  /** Sends GOAWAY; what is under way is answered, what comes after is refused in a way that lets clients repeat it. */
  drain(): void
}

/** Bytes in flight towards us: of one stream, of all streams of a connection. */
const STREAM_WINDOW = 1 << 20
const CONNECTION_WINDOW = 4 << 20
/** Milliseconds in which a connection must begin to speak HTTP/2. */
const PREFACE_TIMEOUT = 10_000

/** An HTTP/2 server that never listens itself: gRPC calls by their content type, all else to the HTTP service. */
export function createHttp2(port: Port, maxStreams: number, keepalive: KeepaliveSettings): Http2 {
  const sessions = new Map<http2.ServerHttp2Session, SessionKeeper>()
  const { grpc } = port
  const serveHttp = port.http === undefined ? undefined : createHttpServe(port, port.http)

  const server = http2.createServer({
    settings: {
      initialWindowSize: STREAM_WINDOW,
      maxFrameSize: 64 << 10,
      maxConcurrentStreams: maxStreams,
      maxHeaderListSize: 16 << 10,
      enablePush: false,
    },
    maxSessionInvalidFrames: 100,
    // Clients with short deadlines cancel in bursts when the pipeline stalls.
    streamResetBurst: 5000,
    streamResetRate: 1000,
  })
  server.on('session', session => {
    session.on('error', ignore)
    session.setLocalWindowSize(CONNECTION_WINDOW)
    const keeper = new SessionKeeper(session, keepalive, port)
    sessions.set(session, keeper)
    const preface = port.deadlines.after(PREFACE_TIMEOUT, () => session.destroy())
    session.once('remoteSettings', () => port.deadlines.delete(preface))
    session.on('close', () => {
      port.deadlines.delete(preface)
      keeper.close()
      sessions.delete(session)
    })
    if (port.work.closing) session.close()
  })
  server.on('sessionError', (error: Error, session: http2.ServerHttp2Session) =>
    port.logger.debug('HTTP/2 connection failed', { error, peer: sessions.get(session)?.peer }),
  )
  server.on('stream', (stream, headers, _flags, raw: readonly string[]) => {
    stream.on('error', ignore)
    const keeper = stream.session === undefined ? undefined : sessions.get(stream.session as http2.ServerHttp2Session)
    keeper?.opened(stream)
    const peer = keeper?.peer
    if (headers['content-type']?.startsWith('application/grpc')) {
      if (grpc === undefined) answerAt(stream, NO_GRPC)
      else new GrpcCall(stream, headers, raw, peer, port, grpc).run()
    } else if (serveHttp !== undefined) serveHttp(exchangeOf(stream, headers, raw, peer, port))
    else answerAt(stream, [':status', headers[':method'] === 'POST' ? '415' : '405'])
  })

  return {
    serve(socket) {
      server.emit('connection', socket)
      // The peer has said all it will; without this the session would wait for ever.
      socket.once('end', () => socket.destroySoon())
    },
    drain() {
      for (const session of sessions.keys()) session.close()
    },
  }
}

const NO_GRPC = [
  ...[':status', '200', 'content-type', 'application/grpc', 'grpc-status', String(Code.UNIMPLEMENTED)],
  ...['grpc-message', 'this port speaks HTTP only'],
]

const BODILESS = { endStream: true, sendDate: false }

function answerAt(stream: http2.ServerHttp2Stream, headers: readonly string[]): void {
  if (stream.destroyed || stream.closed) return
  stream.respond(headers, BODILESS)
  stream.close(http2.constants.NGHTTP2_NO_ERROR)
}

/** Header fields that HTTP/2 forbids, because they speak of the connection. */
const CONNECTION_HEADERS = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade'])

function exchangeOf(
  stream: http2.ServerHttp2Stream,
  headers: http2.IncomingHttpHeaders,
  raw: readonly string[],
  peer: string | undefined,
  port: Port,
): Exchange {
  let answered = false
  let proceeded = headers.expect !== '100-continue'
  return {
    method: headers[':method'] ?? '',
    target: headers[':path'] ?? '',
    headers,
    raw,
    body: stream,
    endIsFinal: false,
    peer,
    onGone: gone =>
      void stream.on('close', () => {
        if (!answered) gone()
      }),
    proceed() {
      if (!proceeded && !stream.destroyed && !stream.closed) stream.additionalHeaders({ ':status': 100 })
      proceeded = true
    },
    answer(status, given, body) {
      if (answered || stream.destroyed || stream.closed) return
      answered = true
      const out = [':status', String(status)]
      for (let i = 0; i < given.length; i += 2) {
        if (!CONNECTION_HEADERS.has(given[i]!)) out.push(given[i]!, given[i + 1]!)
      }
      out.push('content-length', String(body.length))
      const deadline = port.deadlines.after(WRITE_TIMEOUT, () => stream.close(http2.constants.NGHTTP2_CANCEL))
      stream.on('close', () => port.deadlines.delete(deadline))
      const bodiless = body.length === 0 || headers[':method'] === 'HEAD'
      stream.respond(out, { endStream: bodiless })
      if (!bodiless) stream.end(body)
      if (!stream.readableEnded) {
        // Takes the rest of an upload that nobody reads off the peer's hands.
        stream.once('finish', () => stream.close(http2.constants.NGHTTP2_NO_ERROR))
        if (bodiless) stream.close(http2.constants.NGHTTP2_NO_ERROR)
      }
    },
  }
}

/** Milliseconds for the peer to take an answer. */
const WRITE_TIMEOUT = 30_000

function ignore(): void {}
