import * as http from 'node:http'
import type { Socket } from 'node:net'
import { type Connections, peerOf } from './connections.ts'
import type { Exchange } from './exchange.ts'
import { contentLength } from './exchange.ts'
import { createHttpServe, createRawFront } from './http-service.ts'
import type { Port } from './port.ts'
import type { HttpSettings } from './settings.ts'

/** HTTP/1.1 for sockets that others have accepted. */
export interface Http1 {
  serve(socket: Socket): void
  /** Ends idle connections. Those with a request under way end with its answer once the port is closing. */
  endIdle(): void
}

/** Bytes of a body nobody wanted that are read to its end, so that the connection can go on. */
const SWALLOW = 256 << 10
/** Milliseconds between the last byte sent and the end of a connection whose peer is still sending. */
const LINGER = 500

/**
 * An HTTP/1.1 server that never listens itself. Timeouts of headers and idle connections are those of `node:http`; a
 * body's is kept where bodies are read.
 */
export function createHttp1(port: Port, settings: HttpSettings, connections: Connections): Http1 {
  const serve = port.http === undefined ? undefined : createHttpServe(port, port.http)
  const raw = port.raw
  const front = raw === undefined ? undefined : createRawFront(port, raw)

  const handle = (request: http.IncomingMessage, response: http.ServerResponse, waits: boolean) => {
    const exchange = exchangeOf(request, response, waits, port, settings)
    if (serve !== undefined) {
      serve(exchange)
      return
    }
    void front!(exchange, headers => {
      for (let i = 0; i < headers.length; i += 2) response.setHeader(headers[i]!, headers[i + 1]!)
      if (waits) response.writeContinue()
      raw!.onRequest(request, response)
    })
  }
  const server = http.createServer(
    {
      headersTimeout: settings.readHeaderTimeout,
      requestTimeout: 0,
      keepAliveTimeout: settings.idleTimeout,
      connectionsCheckingInterval: Math.min(1000, Math.max(20, settings.readHeaderTimeout / 4)),
      maxHeaderSize: 16 << 10,
    },
    (request, response) => handle(request, response, false),
  )
  server.on('checkContinue', (request, response) => handle(request, response, true))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    port.logger.debug('Could not read an HTTP/1.1 request', { error, peer: peerOf(socket as Socket) })
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    socket.end(`HTTP/1.1 ${FAULTS[error.code ?? ''] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`)
    // The peer may never close its side.
    port.deadlines.after(LINGER, () => socket.destroy())
  })
  // A server checks its timeouts only once it listens.
  server.emit('listening')
  connections.onClosed(() => server.close())

  return {
    serve: socket => void server.emit('connection', socket),
    endIdle: () => server.closeIdleConnections(),
  }
}

const FAULTS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

function exchangeOf(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  waits: boolean,
  port: Port,
  settings: HttpSettings,
): Exchange {
  const { socket } = request
  request.on('error', ignore)
  response.on('error', ignore)
  let proceeded = !waits
  return {
    method: request.method!,
    target: request.url!,
    headers: request.headers,
    raw: request.rawHeaders,
    body: request,
    endIsFinal: true,
    peer: peerOf(socket),
    onGone: gone =>
      void response.on('close', () => {
        if (!response.writableFinished) gone()
      }),
    proceed() {
      if (!proceeded) response.writeContinue()
      proceeded = true
    },
    answer(status, headers, body) {
      if (response.destroyed || response.headersSent) return
      const unread = !request.complete && proceeded
      const rest = contentLength(request.headers) ?? (request.headers['transfer-encoding'] === undefined ? 0 : SWALLOW)
      const close = !settings.keepAlive || port.work.closing || (unread && rest >= SWALLOW) || !proceeded
      if (close) headers.push('connection', 'close')
      if (unread && close) linger(socket, port)
      else if (unread) expectRest(request, port, settings.readTimeout)
      headers.push('content-length', String(body.length))
      const deadline = port.deadlines.after(settings.writeTimeout, () => socket.destroy())
      response.on('close', () => port.deadlines.delete(deadline))
      response.writeHead(status, headers)
      response.end(body)
    },
  }
}

/** Ends a connection whose peer was answered before its body had arrived and does not send the rest in time. */
function expectRest(request: http.IncomingMessage, port: Port, timeout: number): void {
  const deadline = port.deadlines.after(timeout, () => request.socket.destroy())
  const arrived = () => port.deadlines.delete(deadline)
  request.on('end', arrived).on('close', arrived)
}

/**
 * Keeps reading and throwing away for a moment after the answer: closing a socket with unread bytes resets it, and the
 * peer might lose the answer.
 */
function linger(socket: Socket, port: Port): void {
  socket.destroySoon = () => {
    socket.end()
    port.deadlines.after(LINGER, () => socket.destroy())
  }
}

function ignore(): void {}
