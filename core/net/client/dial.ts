/** Opens connections: TCP, socket files, through proxies, with TLS on top. @module */
import * as http from 'node:http'
import * as https from 'node:https'
import * as net from 'node:net'
import * as tls from 'node:tls'
import type { Clock } from '#core/component'

/** An end of a connection: a TCP port or a socket file. */
export type Address = { readonly host: string; readonly port: number } | { readonly path: string }

/** `host:port` with brackets where needed, or the path of the socket file. */
export function printAddress(address: Address): string {
  if ('path' in address) return `unix:${address.path}`
  return `${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`
}

export interface DialOptions {
  readonly clock: Clock
  /** Milliseconds until an open connection, TLS included; 0: no limit. */
  readonly timeout: number
  /** For `tls.connect`; absent: plaintext. */
  readonly tls?: tls.ConnectionOptions
  /** Reached by CONNECT. */
  readonly proxy?: URL
  readonly signal?: AbortSignal
}

/**
 * Opens a connection. The socket has no listeners left of ours.
 * @throws {Error} `Could not connect to <address>: ...` with the cause
 */
export async function dial(address: Address, options: DialOptions): Promise<net.Socket> {
  const abandon = new AbortController()
  const giveUp = (reason: unknown) => abandon.abort(reason)
  const timer =
    options.timeout > 0
      ? options.clock.after(options.timeout, () => giveUp(new Error(`no connection within ${options.timeout} ms`)))
      : undefined
  const onAbort = () => giveUp(options.signal?.reason)
  options.signal?.addEventListener('abort', onAbort, { once: true })
  try {
    options.signal?.throwIfAborted()
    const plain =
      options.proxy === undefined || 'path' in address
        ? await opened(net.connect({ ...address, noDelay: true, keepAlive: true }), 'connect', abandon.signal)
        : await tunnel(options.proxy, address, abandon.signal)
    if (options.tls === undefined) return plain
    return await opened(tls.connect({ ...options.tls, socket: plain }), 'secureConnect', abandon.signal)
  } catch (error) {
    throw new Error(`Could not connect to ${printAddress(address)}: ${describe(error)}`, { cause: error })
  } finally {
    timer?.cancel()
    options.signal?.removeEventListener('abort', onAbort)
  }
}

/** What happened, for the log: several addresses tried make an AggregateError without a sentence of its own. */
export function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join('; ')
  if (!(error instanceof Error)) return String(error)
  // OpenSSL's whole message names its own source files.
  if ('library' in error && 'reason' in error) return String(error.reason)
  // Node's advice is about its command line; the authorities of the system are trusted anyway.
  return (error.message || error.name).replace(/; if the root CA is installed locally.*$/, '')
}

function opened<S extends net.Socket>(socket: S, event: string, signal: AbortSignal): Promise<S> {
  return new Promise((resolve, reject) => {
    const settle = (result: () => void) => {
      socket.off(event, onOpen).off('error', onError).off('close', onClose)
      signal.removeEventListener('abort', onAbort)
      result()
    }
    const fail = (error: unknown) =>
      settle(() => {
        socket.on('error', () => {})
        socket.destroy()
        reject(error)
      })
    const onOpen = () => settle(() => resolve(socket))
    const onError = (error: Error) => fail(error)
    const onClose = () => fail(new Error('connection closed'))
    const onAbort = () => fail(signal.reason)
    socket.once(event, onOpen).once('error', onError).once('close', onClose)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
}

/** Asks a proxy for a tunnel. Source: RFC 9110 §9.3.6. */
function tunnel(proxy: URL, to: { host: string; port: number }, signal: AbortSignal): Promise<net.Socket> {
  const target = printAddress(to)
  return new Promise((resolve, reject) => {
    const request = (proxy.protocol === 'https:' ? https : http).request({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...proxyAuthorization(proxy) },
      agent: false,
      signal,
    })
    const fail = (why: string, cause?: unknown) => reject(new Error(`proxy ${proxy.host}: ${why}`, { cause }))
    request.on('error', error => fail(describe(signal.aborted ? signal.reason : error), error))
    request.on('response', answer => {
      answer.resume()
      fail(`CONNECT was answered with ${answer.statusCode}`)
    })
    request.on('connect', (answer, socket, head) => {
      if (answer.statusCode !== 200) {
        socket.destroy()
        return fail(`CONNECT was answered with ${answer.statusCode}`)
      }
      if (head.length > 0) socket.unshift(head)
      resolve(socket as net.Socket)
    })
    request.end()
  })
}

/** The header that names us to a proxy whose URL carries user and password. */
export function proxyAuthorization(proxy: URL): Record<string, string> {
  if (proxy.username === '' && proxy.password === '') return {}
  const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` }
}
