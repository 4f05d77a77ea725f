/** Asks other people's servers, where each answer may be anything: sizes, times and addresses have limits. */
export interface Fetcher {
  /**
   * Follows redirects itself, judging each address anew, and never sends credentials on to another host.
   * @throws {FetchError}
   */
  fetch(url: string, request?: FetchRequest): Promise<FetchAnswer>
  close(): Promise<void>
}

export interface FetchRequest {
  /** Default GET. */
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Largest body in bytes, decoded; default from {@link FetcherOptions}. */
  readonly maxBytes?: number
  /** Milliseconds for the whole exchange, redirects included; default from {@link FetcherOptions}. */
  readonly timeout?: number
  readonly signal?: AbortSignal
}

export interface FetchAnswer {
  /** Of the last hop. */
  readonly url: string
  readonly status: number
  /** Names in lower case; several of one name joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** Decoded as `content-encoding` said. */
  readonly body: Uint8Array
}

/** How a fetcher behaves. */
export interface FetcherOptions {
  readonly userAgent: string
  /** Whether only public addresses may be asked: literals, what names resolve to, redirects and rebinding included. */
  readonly guard?: FetchGuard
  /** Default 5 MiB. */
  readonly maxBytes?: number
  /** Milliseconds; default 20 000. */
  readonly timeout?: number
  /** Default 5. */
  readonly maxRedirects?: number
}

export interface FetchGuard {
  /** Networks in CIDR notation that may be asked although they are not public. */
  readonly allowPrivate: readonly string[]
  /** Ports that may be asked; default 80 and 443. With `allowPrivate` addresses any port. */
  readonly ports?: readonly number[]
}

/** Why nothing came. */
export class FetchError extends Error {
  override name = 'FetchError'
  /** `refused`: the address may not be asked; `limit`: size, time or redirects; `network`: no connection, or it broke. */
  readonly reason: 'refused' | 'limit' | 'network'
  constructor(reason: FetchError['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
