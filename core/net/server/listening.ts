import { stat, unlink } from 'node:fs/promises'
import * as net from 'node:net'
import {
  formatAddress,
  type ListenAddress,
  type ListenTransport,
  parseListenAddress,
  resolveListenHost,
} from './listen-address.ts'

/** A share in a listening socket. */
export interface Listening {
  /** `ip:port` with the real port, or the path. */
  readonly address: string
  /** The real port; 0 on a path. */
  readonly port: number
  /** Takes no more connections. The socket closes when nobody else holds it. */
  release(): Promise<void>
}

type Accept = (socket: net.Socket) => void

interface Held {
  readonly server: net.Server
  /** The last one gets the connections. */
  readonly accepts: Accept[]
}

/** Sockets by owner and endpoint. A port belongs to the process, so this does too. */
const held = new Map<string, Promise<Held>>()

/**
 * Listens and hands every connection to `accept`.
 *
 * When `owner` already listens on the same endpoint, it goes on with the same socket and `accept` gets the connections
 * from now on: so a component that is replaced by its successor never closes its port. Without an owner, and for port
 * 0, there is no sharing.
 * @throws {InvalidEndpoint}
 * @throws {Error} `listen tcp 127.0.0.1:4317: bind: address already in use` and the like
 */
export async function listen(
  endpoint: string,
  transport: ListenTransport,
  owner: string | undefined,
  accept: Accept,
): Promise<Listening> {
  const address = parseListenAddress(endpoint, transport)
  const shared = owner !== undefined && !('port' in address && address.port === 0)
  const key = shared ? `${owner} ${transport} ${endpoint}` : undefined
  const before = key === undefined ? undefined : held.get(key)
  if (before !== undefined) return share(await before, accept, key)
  const opening = open(address, transport)
  if (key === undefined) return share(await opening, accept, key)
  held.set(key, opening)
  try {
    return share(await opening, accept, key)
  } catch (error) {
    held.delete(key)
    throw error
  }
}

function share(holding: Held, accept: Accept, key: string | undefined): Listening {
  const { server, accepts } = holding
  accepts.push(accept)
  const bound = server.address()
  const { address, port } =
    typeof bound === 'string' || bound === null
      ? { address: bound ?? '', port: 0 }
      : { address: formatAddress(bound.address, bound.port), port: bound.port }
  return {
    address,
    port,
    async release() {
      const at = accepts.indexOf(accept)
      if (at < 0) return
      accepts.splice(at, 1)
      if (accepts.length > 0) return
      if (key !== undefined) held.delete(key)
      await new Promise<void>(resolve => {
        server.close(() => resolve())
        // Only the listening socket is waited for; connections belong to those who took them.
        setImmediate(resolve)
      })
    },
  }
}

async function open(address: ListenAddress, transport: ListenTransport): Promise<Held> {
  const accepts: Accept[] = []
  const server = net.createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true }, socket => {
    socket.on('error', ignore)
    const accept = accepts.at(-1)
    if (accept === undefined) socket.destroy()
    else accept(socket)
  })
  const options =
    'path' in address || address.host === undefined
      ? address
      : { ...address, host: await resolveHost(address.host, address.port, transport) }
  const bind = () =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ ...options, backlog: 1024 } as net.ListenOptions, resolve)
    })
  await bind()
    .catch(async (error: unknown) => {
      if (!('path' in options) || !(await isStale(options.path))) throw error
      await unlink(options.path)
      await bind()
    })
    .catch((error: NodeJS.ErrnoException) => {
      throw listenError(error, options, transport)
    })
  server.removeAllListeners('error')
  // For example too many open files: the connection is lost, the server is not.
  server.on('error', ignore)
  return { server, accepts }
}

/** Whether a socket file was left behind by a process that is gone: nobody answers there. */
async function isStale(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isSocket()) return false
  const probe = net.connect(path)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  probe.on('connect', () => resolve(false))
  probe.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'))
  return promise.finally(() => probe.destroy())
}

async function resolveHost(host: string, port: number, transport: ListenTransport): Promise<string> {
  try {
    return await resolveListenHost(host, transport)
  } catch (error) {
    throw new Error(`listen ${transport} ${formatAddress(host, port)}: no such host`, { cause: error })
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'address already in use',
  EADDRNOTAVAIL: 'cannot assign requested address',
  EACCES: 'permission denied',
  ENOENT: 'no such file or directory',
}

function listenError(error: NodeJS.ErrnoException, address: ListenAddress, transport: ListenTransport): Error {
  const where = 'path' in address ? address.path : formatAddress(address.host ?? '', address.port)
  const network = 'path' in address ? 'unix' : transport
  return new Error(`listen ${network} ${where}: bind: ${REASONS[error.code ?? ''] ?? error.message}`, { cause: error })
}

function ignore(): void {}
