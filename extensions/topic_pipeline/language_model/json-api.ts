import type { Clock } from '#core/component'
import { type FetchAnswer, type Fetcher, parseRetryAfter } from '#core/net'
import type { Patience } from './patience.ts'
import { ProviderFault, type ServerAddress } from './provider.ts'

export interface JsonApiOptions {
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  /** Texts that no message may hold. */
  readonly secrets: readonly string[]
  readonly maxRetries: number
}

export interface JsonApiDeps {
  readonly fetcher: Fetcher
  readonly clock: Clock
  /** 0 to 1, for the jitter of pauses. */
  random(): number
  /** Told before a request is made again. */
  onRetry?(): void
}

export interface JsonAnswer {
  readonly body: Record<string, unknown>
  readonly requests: number
}

/** Pauses longer than this are not waited for: whoever asked does something else meanwhile. */
const LONGEST_PAUSE = 20_000
const FIRST_PAUSE = 500
const MAX_BYTES = 64 * 2 ** 20

/** Posts JSON to one server and takes JSON back, again where that may help. */
export class JsonApi {
  readonly server: ServerAddress
  readonly #options: JsonApiOptions
  readonly #deps: JsonApiDeps

  constructor(options: JsonApiOptions, deps: JsonApiDeps) {
    this.#options = { ...options, baseUrl: options.baseUrl.replace(/\/+$/, '') }
    this.#deps = deps
    const { hostname, port, protocol } = new URL(options.baseUrl)
    this.server = { address: hostname, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) }
  }

  /**
   * Statuses 408, 409, 429, 5xx and broken connections are tried again, after the pause that the server asks for.
   * @throws {ProviderFault}
   * @throws the reason of the signal when that is aborted
   */
  async post(path: string, body: unknown, patience: Patience): Promise<JsonAnswer> {
    const text = JSON.stringify(body)
    for (let request = 1; ; request++) {
      try {
        return { body: await this.#exchange(path, text, patience), requests: request }
      } catch (error) {
        patience.signal.throwIfAborted()
        const fault = error as ProviderFault
        if (!fault.transient || request > this.#options.maxRetries) throw fault
        const pause = fault.retryAfter ?? this.#pause(request)
        if (pause > LONGEST_PAUSE || !(await patience.wait(pause))) throw fault
        this.#deps.onRetry?.()
      }
    }
  }

  #pause(request: number): number {
    return FIRST_PAUSE * 2 ** (request - 1) * (0.5 + this.#deps.random() / 2)
  }

  async #exchange(path: string, body: string, patience: Patience): Promise<Record<string, unknown>> {
    const timeout = patience.request
    if (timeout <= 0) throw new ProviderFault('timeout', `No time is left to ask ${this.#name}`)
    const answer = await this.#fetch(path, body, timeout, patience.signal)
    if (answer.status !== 200) throw this.#refusal(answer)
    const parsed = parseObject(answer.body)
    if (parsed === undefined) throw new ProviderFault('answer', `${this.#name} answered with something else than JSON`)
    return parsed
  }

  async #fetch(path: string, body: string, timeout: number, signal: AbortSignal): Promise<FetchAnswer> {
    const headers = { accept: 'application/json', 'content-type': 'application/json', ...this.#options.headers }
    try {
      return await this.#deps.fetcher.fetch(this.#options.baseUrl + path, {
        method: 'POST',
        headers,
        body,
        timeout,
        signal,
        maxBytes: MAX_BYTES,
      })
    } catch (error) {
      signal.throwIfAborted()
      const limit = error instanceof Error && 'reason' in error && error.reason === 'limit'
      const message = `${this.#name} could not be asked: ${error instanceof Error ? error.message : String(error)}`
      throw new ProviderFault(limit ? 'timeout' : 'network', this.#conceal(message))
    }
  }

  #refusal(answer: FetchAnswer): ProviderFault {
    const said = messageOf(answer.body)
    const message = `${this.#name} answered ${answer.status}${said === '' ? '' : `: ${said}`}`
    const retryAfter = this.#retryAfter(answer)
    return new ProviderFault(answer.status, this.#conceal(message), retryAfter === undefined ? {} : { retryAfter })
  }

  #retryAfter({ headers }: FetchAnswer): number | undefined {
    const milliseconds = Number(headers['retry-after-ms'] ?? Number.NaN)
    if (milliseconds >= 0) return milliseconds
    return parseRetryAfter(headers['retry-after'], this.#deps.clock.now())
  }

  get #name(): string {
    const { host } = new URL(this.#options.baseUrl)
    return host
  }

  /** Providers repeat keys in their error messages. */
  #conceal(message: string): string {
    let concealed = message
    for (const secret of this.#options.secrets)
      if (secret !== '') concealed = concealed.replaceAll(secret, '[REDACTED]')
    return concealed.replace(/\b(sk|key|pk)-[\w*.-]{4,}/g, '[REDACTED]')
  }
}

function parseObject(body: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** `{error: {message}}`, `{error: "..."}`, `{message}`, `{detail}`, or the beginning of a text. */
function messageOf(body: Uint8Array): string {
  const parsed = parseObject(body)
  const error = parsed?.error
  const inner = typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : error
  const found = [inner, parsed?.message, parsed?.detail].find(value => typeof value === 'string')
  const text = typeof found === 'string' ? found : parsed === undefined ? new TextDecoder().decode(body) : ''
  const line = text
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > 300 ? `${line.slice(0, 300)}…` : line
}
