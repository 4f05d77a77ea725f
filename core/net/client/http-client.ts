import type { Pool } from 'undici'
import { type Clock, Code, type Logger, PermanentError, RetryableError } from '#core/component'
import type { ClientAuthenticator, HeaderChanges } from '../auth.ts'
import { compress } from '../compression.ts'
import { Deadlines } from '../server/deadlines.ts'
import { type ClientTls, loadClientTls } from '../tls.ts'
import { conceal } from './conceal.ts'
import { CookieJar } from './cookie-jar.ts'
import { describe, dial, proxyAuthorization } from './dial.ts'
import { httpPieces, sizeOf } from './http-body.ts'
import type { HttpClientConfig } from './http-client-options.ts'
import { HttpExchange, type HttpReply } from './http-exchange.ts'
import { type ProxyEnvironment, proxyFor } from './proxy.ts'
import { authHeaders, type Sender } from './sender.ts'

/** How much of the answer to a post is kept: error sentences and partial successes are short. */
const KEEP = 64 << 10
/** How much of a document is kept. */
const KEEP_DOCUMENT = 1 << 20
const CONNECT_TIMEOUT = 30_000
/** The longest time a timer can wait. */
const NEVER = 2 ** 31 - 1

/** What an HTTP client needs from its surroundings. */
export interface HttpClientDeps {
  readonly clock: Clock
  readonly logger: Logger
  /** For the header, unless configured. */
  readonly userAgent: string
  /** Proves who we are, when `auth` is configured. */
  readonly authenticator?: ClientAuthenticator
  /** Where `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` are looked up; default: nowhere. */
  readonly environment?: ProxyEnvironment
}

export interface HttpRequestOptions {
  /** Milliseconds for the whole exchange, instead of the configured `timeout`. 0: no limit. */
  readonly timeout?: number
  /** Cancels the request. */
  readonly signal?: AbortSignal
  /** For the authenticator. */
  readonly sender?: Sender
}

/** Sends requests to URLs over HTTP/1.1. */
export interface HttpClient {
  /**
   * Posts a body, given in pieces, compressed as configured. Resolves with the answer whatever its status, without what
   * it quotes of our own headers; redirects are not followed.
   * @param headers names in lower case; they win over configured ones
   * @throws {RetryableError} when there was no answer
   * @throws {PermanentError} when the request cannot be made
   */
  post(
    url: string,
    pieces: readonly Buffer[],
    headers: Readonly<Record<string, string>>,
    options?: HttpRequestOptions,
  ): Promise<HttpReply>
  /** Gets a document, of which the first MiB is kept; otherwise as {@link HttpClient.post}. */
  get(url: string, headers: Readonly<Record<string, string>>, options?: HttpRequestOptions): Promise<HttpReply>
  /** Lets requests under way finish and closes all connections. */
  close(): Promise<void>
}

/**
 * A client with the given options; connections are made when they are needed.
 * @throws {Error} when certificates cannot be read
 */
export async function createHttpClient(config: HttpClientConfig, deps: HttpClientDeps): Promise<HttpClient> {
  // Whether TLS is spoken is said by the URL, so `insecure` means nothing here, as in the Collector.
  const tls = await loadClientTls({ ...config.tls, insecure: false }, deps)
  // Loaded with the first client: a collector without one starts without it.
  return new PoolClient(config, deps, tls, await import('undici'))
}

/** Requests to one origin: where they go, and what their path must look like. */
interface Route {
  readonly pool: Pool
  /** Requests go to a proxy, which wants whole URLs. */
  readonly proxy?: URL
  /** A connection has been used, so the next request may meet one that the server is just closing. */
  used: boolean
}

type Undici = typeof import('undici')

class PoolClient implements HttpClient {
  readonly #undici: Undici
  readonly #config: HttpClientConfig
  readonly #deps: HttpClientDeps
  readonly #tls: ClientTls
  readonly #deadlines: Deadlines
  readonly #routes = new Map<string, Route>()
  readonly #headers: Readonly<Record<string, string>>
  readonly #jar: CookieJar | undefined

  constructor(config: HttpClientConfig, deps: HttpClientDeps, tls: ClientTls, undici: Undici) {
    this.#undici = undici
    this.#config = config
    this.#deps = deps
    this.#tls = tls
    this.#deadlines = new Deadlines(deps.clock)
    const configured = Object.entries(config.headers).map(([name, value]) => [name.toLowerCase(), value])
    const encoding =
      config.compression === '' || config.compression === 'none' ? {} : { 'content-encoding': config.compression }
    this.#headers = { 'user-agent': deps.userAgent, ...encoding, ...Object.fromEntries(configured) }
    this.#jar = config.cookies === undefined ? undefined : new CookieJar(undici.parseCookie)
  }

  async post(
    address: string,
    pieces: readonly Buffer[],
    headers: Readonly<Record<string, string>>,
    options: HttpRequestOptions = {},
  ): Promise<HttpReply> {
    return this.#ask('POST', address, pieces, headers, options)
  }

  get(address: string, headers: Readonly<Record<string, string>>, options: HttpRequestOptions = {}) {
    return this.#ask('GET', address, undefined, headers, options)
  }

  async #ask(
    method: 'GET' | 'POST',
    address: string,
    pieces: readonly Buffer[] | undefined,
    headers: Readonly<Record<string, string>>,
    { timeout = this.#config.timeout, signal, sender }: HttpRequestOptions,
  ): Promise<HttpReply> {
    const url = new URL(address)
    const attempt = new Attempt()
    const deadline = timeout > 0 ? this.#deadlines.after(timeout, () => attempt.abandon(exceeded(timeout))) : undefined
    const onAbort = () => attempt.abandon(cancelled(signal!.reason))
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
    try {
      const route = this.#route(url)
      const body = pieces && (await this.#encoded(pieces))
      const request = {
        path: route.proxy === undefined ? url.pathname + url.search : url.href,
        method,
        headers: await this.#requestHeaders(url, headers, body && sizeOf(body), route.proxy, sender),
        body: body === undefined ? null : (httpPieces(body) as Buffer),
      }
      const answer = await this.#exchange(route, request, attempt)
      if (body !== undefined && answer.body.length > 0) conceal(answer.body, Object.entries(request.headers))
      this.#jar?.store(url, [answer.headers['set-cookie'] ?? []].flat(), this.#deps.clock.now())
      return answer
    } catch (error) {
      if (error instanceof RetryableError || error instanceof PermanentError) throw error
      throw failure(error, url)
    } finally {
      this.#deadlines.delete(deadline)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  async close(): Promise<void> {
    this.#tls.close()
    await Promise.all([...this.#routes.values()].map(route => route.pool.close()))
    this.#deadlines.clear()
  }

  /**
   * A server may close an idle connection at the moment we use it. Then nothing is known to have been taken, OTLP permits
   * duplicates, and a fresh connection usually works: repeat once, at once.
   */
  async #exchange(route: Route, request: ConstructorParameters<typeof HttpExchange>[1], attempt: Attempt) {
    const keep = request.method === 'GET' ? KEEP_DOCUMENT : KEEP
    const first = attempt.begin(() => new HttpExchange(route.pool, request, keep))
    try {
      const answer = await first.answer
      route.used = true
      return answer
    } catch (error) {
      if (!route.used || first.answered || attempt.abandoned || !isReset(error)) throw error
      return await attempt.begin(() => new HttpExchange(route.pool, request, keep)).answer
    }
  }

  async #encoded(pieces: readonly Buffer[]): Promise<readonly Buffer[]> {
    const { compression, compression_params } = this.#config
    if (compression === '' || compression === 'none') return pieces
    return [await compress(pieces, compression, compression_params.level || undefined)]
  }

  async #requestHeaders(
    url: URL,
    own: Readonly<Record<string, string>>,
    length: number | undefined,
    proxy: URL | undefined,
    sender: Sender | undefined,
  ): Promise<Record<string, string>> {
    const { authenticator } = this.#deps
    const cookie = this.#jar?.header(url, this.#deps.clock.now())
    const user = url.username === '' && url.password === '' ? {} : { authorization: basic(url) }
    const headers: Record<string, string> = {
      ...(proxy === undefined ? {} : { host: url.host, ...proxyAuthorization(proxy) }),
      ...user,
      ...(cookie === undefined ? {} : { cookie }),
      ...this.#headers,
      ...own,
    }
    if (authenticator !== undefined) change(headers, await authHeaders(authenticator, sender, headers))
    if (length === undefined) delete headers['content-encoding']
    else headers['content-length'] = String(length)
    return headers
  }

  #route(url: URL): Route {
    const known = this.#routes.get(url.origin)
    if (known !== undefined) return known
    const proxy = proxyFor(url, this.#config.proxy_url, this.#deps.environment ?? {})
    const forwarded = proxy !== undefined && url.protocol === 'http:'
    const pool = new this.#undici.Pool(forwarded ? proxy.origin : url.origin, {
      connections: this.#config.max_conns_per_host || null,
      pipelining: this.#config.disable_keep_alives ? 0 : 1,
      keepAliveTimeout: this.#config.idle_conn_timeout || NEVER,
      keepAliveMaxTimeout: this.#config.idle_conn_timeout || NEVER,
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
      connect: (options, done) => {
        const to = {
          host: options.hostname.replace(/^\[|\]$/g, ''),
          port: Number(options.port) || defaultPort(options.protocol),
        }
        dial(to, {
          clock: this.#deps.clock,
          timeout: CONNECT_TIMEOUT,
          ...(proxy === undefined || forwarded ? {} : { proxy }),
          ...(options.protocol === 'https:'
            ? { tls: { ...this.#tls.connectOptions(to.host), ALPNProtocols: ['http/1.1'] } }
            : {}),
        }).then(
          socket => done(null, socket),
          error => done(error, null),
        )
      },
    })
    const route = forwarded ? { pool, proxy, used: false } : { pool, used: false }
    this.#routes.set(url.origin, route)
    return route
  }
}

function change(headers: Record<string, string>, changes: HeaderChanges): void {
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) delete headers[name]
    else headers[name] = value
  }
}

/** What ends a request from our side, whichever exchange it is in. */
class Attempt {
  #reason: Error | undefined
  #exchange: HttpExchange | undefined

  get abandoned(): boolean {
    return this.#reason !== undefined
  }

  begin(start: () => HttpExchange): HttpExchange {
    if (this.#reason !== undefined) throw this.#reason
    this.#exchange = start()
    return this.#exchange
  }

  abandon(reason: Error): void {
    this.#reason ??= reason
    this.#exchange?.abandon(this.#reason)
  }
}

function exceeded(timeout: number): RetryableError {
  return new RetryableError(`No answer within the timeout of ${timeout} ms`, { code: Code.DEADLINE_EXCEEDED })
}

function cancelled(reason: unknown): RetryableError {
  return new RetryableError(`Request was cancelled: ${describe(reason)}`, { code: Code.CANCELLED, cause: reason })
}

function failure(error: unknown, url: URL): RetryableError {
  const message = `Request to ${url.origin}${url.pathname} failed: ${describe(error)}`
  return new RetryableError(message, { code: Code.UNAVAILABLE, cause: error })
}

/** Whether a connection was closed under the request. */
function isReset(error: unknown): boolean {
  return RESETS.has((error as NodeJS.ErrnoException).code ?? '')
}

const RESETS: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

function defaultPort(protocol: string): number {
  return protocol === 'https:' ? 443 : 80
}

function basic(url: URL): string {
  return `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')}`
}
