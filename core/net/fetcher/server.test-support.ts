import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A local HTTP server that counts its connections. */
export interface TestServer extends AsyncDisposable {
  readonly port: number
  /** Without a trailing slash. */
  readonly url: string
  /** Connections so far. */
  readonly connections: number
}

/** Listens on `host` at a port of the system's choice. */
export async function serve(listener: RequestListener, host = '127.0.0.1'): Promise<TestServer> {
  const server: Server = createServer(listener)
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', socket => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, host, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://${host}:${port}`,
    get connections() {
      return connections
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
