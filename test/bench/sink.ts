/**
 * A backend that takes everything: OTLP over gRPC and HTTP, answering success without looking. Prints `{ grpc, http }`
 * (ports), and `{ requests, bytes }` for each line on standard input.
 */
import { createServer } from 'node:http'
import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'

let requests = 0
let bytes = 0
const EMPTY = Buffer.alloc(5)

const grpc = createHttp2Server({ settings: { initialWindowSize: 4 << 20 } })
grpc.on('session', session => session.setLocalWindowSize(16 << 20))
grpc.on('stream', (stream: ServerHttp2Stream) => {
  stream.on('error', () => {})
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  stream.on('end', () => {
    requests++
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
    stream.end(EMPTY)
  })
})

const http = createServer((request, response) => {
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  request.on('end', () => {
    requests++
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  })
})

await Promise.all([grpc, http].map(server => new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))))
console.log(JSON.stringify({ grpc: (grpc.address() as AddressInfo).port, http: (http.address() as AddressInfo).port }))
createInterface({ input: process.stdin }).on('line', () => console.log(JSON.stringify({ requests, bytes })))
