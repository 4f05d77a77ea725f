/**
 * A backend that can take so many items a second and counts what it took: OTLP over gRPC and HTTP. Prints its ports as
 * `{ grpc, http }`. Each line of JSON on standard input may set `rate` (items a second, `null` for no limit) and is
 * answered with `{ items }`.
 */
import { createServer } from 'node:http'
import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { admit, type Signal } from '#core/data'

let items = 0
let rate = Number.POSITIVE_INFINITY
/** When all that has come so far is worked off; in the past when there was less to do than could be done. */
let busyUntil = 0
/** Milliseconds of idle time that may be made up for: the rate is one over this time. */
const CREDIT = 1000

const EMPTY = Buffer.alloc(5)
const SIGNALS: Readonly<Record<string, Signal>> = {
  '/v1/traces': 'traces',
  '/opentelemetry.proto.collector.trace.v1.TraceService/Export': 'traces',
}

/** Counts the request, and answers when a backend of this rate would have. */
function take(path: string, body: Buffer, answer: () => void): void {
  const came = admit(SIGNALS[path]!, body).payload.items
  const now = performance.now()
  busyUntil = Math.max(now - CREDIT, busyUntil) + (1000 * came) / rate
  setTimeout(
    () => {
      items += came
      answer()
    },
    Math.max(0, busyUntil - now),
  )
}

const grpc = createHttp2Server({ settings: { initialWindowSize: 4 << 20 } })
grpc.on('session', session => session.setLocalWindowSize(16 << 20))
grpc.on('stream', (stream: ServerHttp2Stream, headers) => {
  const chunks: Buffer[] = []
  stream.on('error', () => {})
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  stream.on('end', () => {
    const body = Buffer.concat(chunks).subarray(5)
    take(headers[':path']!, body, () => {
      if (stream.destroyed || stream.closed) return
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
      stream.end(EMPTY)
    })
  })
})

const http = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    take(request.url!, Buffer.concat(chunks), () =>
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end(),
    )
  })
})

await Promise.all([grpc, http].map(server => new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))))
console.log(JSON.stringify({ grpc: (grpc.address() as AddressInfo).port, http: (http.address() as AddressInfo).port }))
createInterface({ input: process.stdin }).on('line', line => {
  const order = JSON.parse(line) as { rate?: number | null }
  if (order.rate !== undefined) {
    rate = order.rate ?? Number.POSITIVE_INFINITY
    busyUntil = performance.now()
  }
  console.log(JSON.stringify({ items }))
})
