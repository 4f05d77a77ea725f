import type { Agent } from 'undici'
import { type AddressGuard, createAddressGuard } from './address-guard.ts'
import { createConnector, systemResolver } from './connector.ts'
import { describeFailure, isTimeout } from './describe-failure.ts'
import { type FetchAnswer, FetchError, type Fetcher, type FetcherOptions, type FetchRequest } from './fetcher.ts'
import { judgeUrl } from './judge-url.ts'
import { ACCEPT_ENCODING, readBody } from './read-body.ts'

const MAX_BYTES = 5 << 20
const TIMEOUT = 20_000
const CONNECT_TIMEOUT = 5_000
const HEADERS_TIMEOUT = 10_000
const MAX_REDIRECTS = 5
/** Connections to one origin at once. */
const CONNECTIONS = 8
/** What may be told to another origin. */
const FOLLOWING = ['accept', 'accept-language', 'user-agent', 'accept-encoding']

/**
 * A fetcher with the given options. It ignores the proxies of the environment: a proxy would connect where we may not.
 * @throws {Error} when a network of the guard is not written in CIDR notation
 */
export function createFetcher(options: FetcherOptions): Fetcher {
  return new GuardedFetcher(options)
}

/** One request on its way through redirects. */
interface Hop {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
}

class GuardedFetcher implements Fetcher {
  readonly #options: FetcherOptions
  readonly #guard: AddressGuard | undefined
  /** Judges where redirects lead that leave a host which was exempt. */
  readonly #strangers: AddressGuard
  #agents: Promise<{ readonly named: Agent; readonly strangers: Agent }> | undefined
  #closed = false

  constructor(options: FetcherOptions) {
    this.#options = options
    this.#guard = options.guard === undefined ? undefined : createAddressGuard(options.guard)
    this.#strangers = this.#guard ?? createAddressGuard({ allowPrivate: [] })
  }

  async fetch(address: string, request: FetchRequest = {}): Promise<FetchAnswer> {
    const { signal, timeout = this.#options.timeout ?? TIMEOUT } = request
    signal?.throwIfAborted()
    if (this.#closed) throw new FetchError('network', 'The fetcher is closed')
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(tooSlow(timeout)), timeout)
    const stop = () => deadline.abort(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    try {
      return await this.#follow(first(address, request, this.#options.userAgent), request, deadline.signal, timeout)
    } catch (error) {
      if (deadline.signal.aborted) throw deadline.signal.reason
      throw toFetchError(error, this.#guard !== undefined)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    const agents = await this.#agents
    this.#agents = undefined
    await Promise.all([agents?.named.destroy(), agents?.strangers.destroy()])
  }

  async #follow(start: Hop, request: FetchRequest, signal: AbortSignal, timeout: number): Promise<FetchAnswer> {
    const { maxRedirects = MAX_REDIRECTS } = this.#options
    let hop = start
    for (let redirects = 0; ; redirects++) {
      const answer = await this.#ask(hop, hop.url.host === start.url.host, request, signal, timeout)
      const target = redirectTarget(answer)
      if (target === undefined) return answer
      if (redirects === maxRedirects) {
        throw new FetchError('limit', `More than ${maxRedirects} redirects`, { limit: 'redirects' })
      }
      hop = next(hop, target, answer.status)
    }
  }

  async #ask(hop: Hop, named: boolean, request: FetchRequest, signal: AbortSignal, timeout: number) {
    const agents = await this.#open()
    signal.throwIfAborted()
    const headersTimeout = this.#options.headersTimeout ?? (this.#guard === undefined ? timeout : HEADERS_TIMEOUT)
    const answer = await (named ? agents.named : agents.strangers).request({
      origin: hop.url.origin,
      path: `${hop.url.pathname}${hop.url.search}`,
      method: hop.method,
      headers: hop.headers,
      body: hop.body ?? null,
      signal,
      headersTimeout,
      bodyTimeout: 0,
    })
    const headers = joined(answer.headers)
    if (isRedirect(answer.statusCode) && headers.location !== undefined) {
      answer.body.on('error', () => {}).destroy()
      return { url: hop.url.href, status: answer.statusCode, headers, body: new Uint8Array() }
    }
    const limit = request.maxBytes ?? this.#options.maxBytes ?? MAX_BYTES
    const body = await readBody(answer.body, headers['content-encoding'], limit)
    return { url: hop.url.href, status: answer.statusCode, headers, body }
  }

  #open() {
    this.#agents ??= this.#create()
    return this.#agents
  }

  async #create() {
    // Loaded with the first request: a collector that asks nobody starts without it.
    const { Agent, buildConnector } = await import('undici')
    const { connectTimeout: timeout = CONNECT_TIMEOUT, resolve = systemResolver, authorities } = this.#options
    const open = (guard: AddressGuard | undefined) =>
      new Agent({
        connect: createConnector(buildConnector, { timeout, resolve, guard, authorities }),
        connections: CONNECTIONS,
        pipelining: 1,
      })
    return { named: open(this.#guard), strangers: open(this.#strangers) }
  }
}

function first(address: string, request: FetchRequest, userAgent: string): Hop {
  const own = Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
  return {
    url: judgeUrl(address),
    method: request.method ?? 'GET',
    headers: { 'user-agent': userAgent, 'accept-encoding': ACCEPT_ENCODING, ...Object.fromEntries(own) },
    body: request.body,
  }
}

/** Source: RFC 9110 §15.4; a POST becomes a GET as the Fetch standard says. */
function next(hop: Hop, location: string, status: number): Hop {
  const url = judgeUrl(location, hop.url)
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') {
    throw new FetchError('refused', 'A redirect leads from https to http')
  }
  const sameOrigin = url.origin === hop.url.origin
  const keeps = hop.method === 'POST' && status !== 301 && status !== 302 && status !== 303
  if (keeps && !sameOrigin) throw new FetchError('refused', 'A redirect would send what was posted to another host')
  const headers = Object.entries(hop.headers).filter(
    ([name]) => FOLLOWING.includes(name) || (sameOrigin && (keeps || !name.startsWith('content-'))),
  )
  return {
    url,
    method: keeps ? 'POST' : 'GET',
    headers: Object.fromEntries(headers),
    body: keeps ? hop.body : undefined,
  }
}

function redirectTarget({ status, headers }: FetchAnswer): string | undefined {
  return isRedirect(status) ? headers.location : undefined
}

function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308
}

function joined(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const pairs = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value])
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined))
}

function tooSlow(timeout: number): FetchError {
  return new FetchError('limit', `No whole answer within ${timeout} ms`, { limit: 'time' })
}

/** With a guard causes are not told: they name addresses. */
function toFetchError(error: unknown, guarded: boolean): FetchError {
  if (error instanceof FetchError) return error
  const message = `The server was not asked, or its answer did not come: ${describeFailure(error)}`
  const cause = guarded ? {} : { cause: error }
  if (isTimeout(error)) return new FetchError('limit', message, { limit: 'time', ...cause })
  return new FetchError('network', message, cause)
}
