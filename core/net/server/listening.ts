import { stat, unlink } from 'node:fs/promises'
import * as net from 'node:net'
import type { Clock, Timer } from '#core/component'
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
  /**
   * Takes no more connections. The socket closes when nobody else holds it; with `park`, only after so many milliseconds
   * in which no successor came. Connections that arrive meanwhile wait for the successor.
   */
  release(park?: number): Promise<void>
}

type Accept = (socket: net.Socket) => void

interface Held {
  readonly server: net.Server
  /** The last one gets the connections. */
  readonly accepts: Accept[]
  /** Set while the socket waits for a successor. */
  parked: Parked | undefined
}

interface Parked {
  readonly key: string
  readonly timer: Timer
  readonly waiting: net.Socket[]
}

/** Who listens. Owners of one name are the same only within one collector. */
export interface Owner {
  readonly name: string
  readonly within: object | undefined
}

/** Sockets by owner and endpoint. A port belongs to the process, so this does too. */
const held = new Map<string, Promise<Held>>()
/** Those of them that wait for a successor. */
const parked = new Set<Held>()

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
  owner: Owner | undefined,
  clock: Clock,
  accept: Accept,
): Promise<Listening> {
  const address = parseListenAddress(endpoint, transport)
  const shared = owner !== undefined && !('port' in address && address.port === 0)
  const key = shared ? `${numberOf(owner.within)} ${owner.name} ${transport} ${endpoint}` : undefined
  const before = key === undefined ? undefined : held.get(key)
  if (before !== undefined) return share(await before, accept, key, clock)
  const opening = open(address, transport)
  if (key === undefined) return share(await opening, accept, key, clock)
  held.set(key, opening)
  try {
    return share(await opening, accept, key, clock)
  } catch (error) {
    held.delete(key)
    throw error
  }
}

const numbers = new WeakMap<object, number>()
let lastNumber = 0

/** Tells collectors apart; 0 stands for none. */
function numberOf(within: object | undefined): number {
  if (within === undefined) return 0
  const known = numbers.get(within)
  if (known !== undefined) return known
  numbers.set(within, ++lastNumber)
  return lastNumber
}

function share(holding: Held, accept: Accept, key: string | undefined, clock: Clock): Listening {
  const { server, accepts } = holding
  accepts.push(accept)
  for (const socket of unpark(holding)) if (!socket.destroyed) accept(socket)
  const bound = server.address()
  const { address, port } =
    typeof bound === 'string' || bound === null
      ? { address: bound ?? '', port: 0 }
      : { address: formatAddress(bound.address, bound.port), port: bound.port }
  return {
    address,
    port,
    async release(park = 0) {
      const at = accepts.indexOf(accept)
      if (at < 0) return
      accepts.splice(at, 1)
      if (accepts.length > 0) return
      if (key === undefined || park <= 0) return close(holding, key)
      const timer = clock.after(park, () => void close(holding, key))
      holding.parked = { key, timer, waiting: [] }
      parked.add(holding)
      server.unref()
    },
  }
}

/** Ends the waiting for a successor. Returns the connections that have come meanwhile. */
function unpark(holding: Held): readonly net.Socket[] {
  const waiting = holding.parked?.waiting ?? []
  holding.parked?.timer.cancel()
  holding.parked = undefined
  parked.delete(holding)
  holding.server.ref()
  return waiting
}

async function close(holding: Held, key: string | undefined): Promise<void> {
  if (key !== undefined) held.delete(key)
  for (const socket of unpark(holding)) socket.destroy()
  await new Promise<void>(resolve => {
    holding.server.close(() => resolve())
    // Only the listening socket is waited for; connections belong to those who took them.
    setImmediate(resolve)
  })
}

async function open(address: ListenAddress, transport: ListenTransport): Promise<Held> {
  const server = net.createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true }, socket => {
    socket.on('error', ignore)
    const accept = holding.accepts.at(-1)
    if (accept !== undefined) accept(socket)
    else if (holding.parked !== undefined) holding.parked.waiting.push(socket)
    else socket.destroy()
  })
  const holding: Held = { server, accepts: [], parked: undefined }
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
      if ('path' in options && (await isStale(options.path))) await unlink(options.path)
      // Nobody waits for a successor against somebody who is here.
      else if (parked.size > 0) await Promise.all([...parked].map(each => close(each, each.parked!.key)))
      else throw error
      await bind()
    })
    .catch((error: NodeJS.ErrnoException) => {
      throw listenError(error, options, transport)
    })
  server.removeAllListeners('error')
  // For example too many open files: the connection is lost, the server is not.
  server.on('error', ignore)
  return holding
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
