import { type Clock, Code, type Logger } from '#core/component'
import type { ClientAuthenticator, Headers } from '../auth.ts'
import { compress, type Encoding } from '../compression.ts'
import { Deadlines } from '../server/deadlines.ts'
import { errorOf, type WireStatus } from '../status.ts'
import { loadClientTls } from '../tls.ts'
import { conceal, concealed, pairsOf } from './conceal.ts'
import { describe } from './dial.ts'
import { GrpcChannel, NoConnection } from './grpc-channel.ts'
import type { GrpcClientConfig } from './grpc-client-options.ts'
import type { GrpcExchange } from './grpc-exchange.ts'
import { GrpcHeaders, gather } from './grpc-request.ts'
import { GrpcResolver, type Lookup, systemLookup } from './grpc-resolver.ts'
import { GrpcSubchannel } from './grpc-subchannel.ts'
import { grpcTarget } from './grpc-target.ts'
import { type ProxyEnvironment, proxyFor } from './proxy.ts'
import { authHeaders, type Sender } from './sender.ts'

/** A call that no server has looked at is repeated at once, so often at most. */
const MAX_REPEATS = 5
/** grpc-go's lower bound for the time between pings. */
const MIN_KEEPALIVE = 10_000

/** As grpc-go says it. */
const INSECURE = 'the credentials require transport level security'

/** What a gRPC client needs from its surroundings. */
export interface GrpcClientDeps {
  readonly clock: Clock
  readonly logger: Logger
  /** For the header, unless configured. */
  readonly userAgent: string
  /** Proves who we are, when `auth` is configured. */
  readonly authenticator?: ClientAuthenticator
  /** Where `HTTPS_PROXY` and `NO_PROXY` are looked up; default: nowhere. */
  readonly environment?: ProxyEnvironment
  /** Default: the system's resolver. */
  readonly lookup?: Lookup
}

export interface GrpcCallOptions {
  /** Milliseconds; told to the server, and the call fails with DEADLINE_EXCEEDED after it. 0: no limit. */
  readonly timeout?: number
  /** Cancels the call. */
  readonly signal?: AbortSignal
  /** For the authenticator. */
  readonly sender?: Sender
  /** Metadata of this call alone; names in lower case. */
  readonly metadata?: Readonly<Record<string, string>>
}

/** Makes unary gRPC calls to one target. */
export interface GrpcClient {
  /**
   * Sends one message, given in pieces, and resolves with the answer's bytes.
   * @param path `/package.Service/Method`
   * @throws {PermanentError | RetryableError} with the code and message of the server, or of what kept us from it
   */
  call(path: string, pieces: readonly Buffer[], options?: GrpcCallOptions): Promise<Buffer>
  /** Lets calls under way finish and closes all connections. */
  close(): Promise<void>
}

/**
 * A client for `config.endpoint`. Connecting begins at once and goes on in the background.
 * @throws {Error} when certificates cannot be read, or a secret would be sent without TLS
 */
export async function createGrpcClient(config: GrpcClientConfig, deps: GrpcClientDeps): Promise<GrpcClient> {
  const target = grpcTarget(config.endpoint)
  const insecure = config.tls.insecure && !target.secure
  const tls = await loadClientTls({ ...config.tls, insecure }, deps)
  if (tls.plaintext && deps.authenticator?.secureOnly === true) throw new Error(INSECURE)
  const scheme = tls.plaintext ? 'http' : 'https'
  const proxy = target.name ? proxyFor(new URL(`https://${target.authority}`), '', deps.environment ?? {}) : undefined
  const resolved = proxy === undefined ? target : { ...target, fixed: [target.name!] }
  const channel = new GrpcChannel({
    clock: deps.clock,
    resolver: new GrpcResolver(resolved, deps.clock, deps.lookup ?? systemLookup),
    balancer: config.balancer_name === 'pick_first' ? 'pick_first' : 'round_robin',
    subchannel: (address, changed) =>
      new GrpcSubchannel(address, {
        clock: deps.clock,
        logger: deps.logger,
        tls,
        scheme,
        host: target.host,
        changed,
        ...(proxy === undefined ? {} : { proxy }),
        ...(config.keepalive === undefined ? {} : { keepalive: keepaliveOf(config.keepalive) }),
      }),
  })
  const authority = config.authority || config.tls.server_name_override || target.authority
  channel.connect()
  return new ChannelClient(config, deps, channel, new GrpcHeaders(config, scheme, authority, deps.userAgent), tls.close)
}

class ChannelClient implements GrpcClient {
  readonly #config: GrpcClientConfig
  readonly #deps: GrpcClientDeps
  readonly #channel: GrpcChannel
  readonly #headers: GrpcHeaders
  readonly #deadlines: Deadlines
  readonly #closeTls: () => void
  readonly #encoding: Encoding

  constructor(
    config: GrpcClientConfig,
    deps: GrpcClientDeps,
    channel: GrpcChannel,
    headers: GrpcHeaders,
    closeTls: () => void,
  ) {
    this.#config = config
    this.#deps = deps
    this.#channel = channel
    this.#headers = headers
    this.#deadlines = new Deadlines(deps.clock)
    this.#closeTls = closeTls
    // What gRPC calls snappy is the framed format.
    this.#encoding = config.compression === 'snappy' ? 'x-snappy-framed' : config.compression || 'none'
  }

  async call(path: string, pieces: readonly Buffer[], options: GrpcCallOptions = {}): Promise<Buffer> {
    const { clock, authenticator } = this.#deps
    const { timeout = 0, signal, sender, metadata } = options
    const end = timeout > 0 ? clock.monotonic() + timeout : Number.POSITIVE_INFINITY
    const call = new Cancellation()
    const deadline = timeout > 0 ? this.#deadlines.after(timeout, () => call.cancel(exceeded(timeout))) : undefined
    const onAbort = () => call.cancel(cancelled(signal!.reason))
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
    try {
      const body = gather(
        this.#encoding === 'none' ? pieces : [await compress(pieces, this.#encoding)],
        this.#encoding !== 'none',
      )
      const changes = authenticator === undefined ? metadata : await this.#proven(authenticator, sender, metadata)
      for (let repeats = 0; ; repeats++) {
        const connection = this.#channel.ready() ?? (await this.#channel.pick(this.#config.wait_for_ready, call.signal))
        const headers = this.#headers.for(path, end - clock.monotonic(), changes)
        const outcome = await connection.call(headers, body, call.holds, call.currentSignal)
        if (outcome.status.code === Code.OK) {
          if (outcome.message.length > 0) conceal(outcome.message, pairsOf(headers))
          return outcome.message
        }
        if (call.status !== undefined) throw errorOf(call.status)
        if (!outcome.untouched || repeats >= MAX_REPEATS) {
          throw errorOf({ ...outcome.status, message: concealed(outcome.status.message, pairsOf(headers)) })
        }
      }
    } catch (error) {
      if (call.status !== undefined) throw errorOf(call.status)
      if (error instanceof NoConnection) throw errorOf({ code: Code.UNAVAILABLE, message: error.message })
      throw error
    } finally {
      this.#deadlines.delete(deadline)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  async #proven(authenticator: ClientAuthenticator, sender: Sender | undefined, metadata: Headers | undefined) {
    const request = { ...this.#headers.configured, ...metadata }
    return { ...metadata, ...(await authHeaders(authenticator, sender, request)) }
  }

  async close(): Promise<void> {
    this.#closeTls()
    await this.#channel.close()
    this.#deadlines.clear()
  }
}

/** What ends a call from our side, wherever it is: waiting for a connection or on a stream. */
class Cancellation {
  #controller: AbortController | undefined
  #exchange: GrpcExchange | undefined
  status: WireStatus | undefined

  /** Made only for calls that have to wait. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.status !== undefined) this.#controller.abort(this.status)
    }
    return this.#controller.signal
  }

  readonly currentSignal = (): AbortSignal => this.signal

  /** The stream the call is on now. Tells whether the call still goes on. */
  readonly holds = (exchange: GrpcExchange): boolean => {
    this.#exchange = exchange
    return this.status === undefined
  }

  cancel(status: WireStatus): void {
    this.status ??= status
    this.#exchange?.cancel(status)
    this.#controller?.abort(status)
  }
}

function exceeded(timeout: number): WireStatus {
  return { code: Code.DEADLINE_EXCEEDED, message: `No answer within the timeout of ${timeout} ms` }
}

function cancelled(reason: unknown): WireStatus {
  return { code: Code.CANCELLED, message: `Call was cancelled: ${describe(reason)}` }
}

function keepaliveOf(config: NonNullable<GrpcClientConfig['keepalive']>) {
  const { time, timeout, permit_without_stream: permitWithoutCalls } = config
  return { time: Math.max(MIN_KEEPALIVE, time), timeout: timeout || 20_000, permitWithoutCalls }
}
