import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import type { AddressGuard } from './address-guard.ts'
import { FetchError, type Resolver } from './fetcher.ts'

/** What the caller is told about an address that may not be asked: never the address. */
export const NOT_PUBLIC = 'The address is not public, so it may not be asked'

export interface ConnectorOptions {
  /** Milliseconds from the name to an open connection, TLS included. */
  readonly timeout: number
  readonly resolve: Resolver
  /** Absent: any address. */
  readonly guard?: AddressGuard | undefined
  /** PEM; absent: the system's. */
  readonly authorities?: string | undefined
}

/** The system's resolver. */
export const systemResolver: Resolver = async host => (await lookup(host, { all: true })).map(each => each.address)

/**
 * Opens connections to what the guard lets through. It judges where connections are made, not where URLs are read, and
 * connects to the very addresses that it judged, so that a name cannot mean something else a moment later. Three times:
 * a literal, because Node looks no literal up; every address of a name; and whom the socket says it is connected to.
 */
export function createConnector(
  build: typeof buildConnector,
  { timeout, resolve, guard, authorities }: ConnectorOptions,
): buildConnector.connector {
  return (options, callback) => {
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80)
    const host = options.hostname.replace(/^\[|\]$/g, '')
    const mayAsk = (address: string | undefined) => guard === undefined || guard.mayAsk(address ?? '', port)
    if (isIP(host) > 0 && !mayAsk(host)) return callback(refusal(), null)
    const connect = build({
      timeout,
      allowH2: false,
      lookup: lookupThrough(resolve, mayAsk),
      ...(authorities === undefined ? {} : { ca: authorities }),
    })
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null)
      if (mayAsk(socket.remoteAddress)) return callback(null, socket)
      socket.destroy()
      callback(refusal(), null)
    })
  }
}

/** One address that may not be asked among several is reason enough: somebody means it. */
function lookupThrough(resolve: Resolver, mayAsk: (address: string) => boolean): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      found => {
        const wanted = options.family === 4 || options.family === 6 ? options.family : 0
        const addresses = found
          .map(address => ({ address, family: isIP(address) }))
          .filter(each => wanted === 0 || each.family === wanted)
        if (!found.every(mayAsk)) callback(refusal(), [])
        else if (addresses.length === 0) callback(Object.assign(new Error('No address'), { code: 'ENOTFOUND' }), [])
        else if (options.all === true) callback(null, addresses)
        else callback(null, addresses[0]!.address, addresses[0]!.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }
}

function refusal(): FetchError {
  return new FetchError('refused', NOT_PUBLIC)
}
