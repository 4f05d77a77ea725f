/** Asks other people's servers, where each answer may be anything: sizes, times and addresses have limits. */
export interface Fetcher {
  /**
   * Follows redirects itself, judging each address anew, and never sends credentials on to another host.
   * @throws {FetchError}
   * @throws the reason of `request.signal` when that is aborted
   */
  fetch(url: string, request?: FetchRequest): Promise<FetchAnswer>
  close(): Promise<void>
}

export interface FetchRequest {
  /** Default GET. */
  readonly method?: 'GET' | 'POST'
  /** Of these only `accept` and `accept-language` follow a redirect to another origin. */
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
  /**
   * Whether only public addresses may be asked: literals, what names resolve to, redirects and rebinding included.
   * Without it the host that a call names may be anything, because the operator named it; a redirect to another host is
   * judged all the same.
   */
  readonly guard?: FetchGuard
  /** Default 5 MiB. */
  readonly maxBytes?: number
  /** Milliseconds; default 20 000. */
  readonly timeout?: number
  /** Default 5. */
  readonly maxRedirects?: number
  /** Milliseconds for finding the address, connecting and TLS; default 5 000. */
  readonly connectTimeout?: number
  /** Milliseconds from the request to the head of its answer; default 10 000 with a guard, else as long as the exchange may take. */
  readonly headersTimeout?: number
  /** Finds the addresses of a name; default the system's resolver. */
  readonly resolve?: Resolver
  /** Certificate authorities that are trusted instead of the system's, in PEM. */
  readonly authorities?: string
}

/** The addresses of a name, in the order in which they are tried. Rejects when there are none. */
export type Resolver = (host: string) => Promise<readonly string[]>

export interface FetchGuard {
  /** Networks in CIDR notation that may be asked although they are not public. */
  readonly allowPrivate: readonly string[]
  /** Ports that may be asked; default 80 and 443. With `allowPrivate` addresses any port. */
  readonly ports?: readonly number[]
}

/** Why nothing came. The message names no address that was not in the request, so that it tells nothing of a network inside. */
export class FetchError extends Error {
  override name = 'FetchError'
  /** `refused`: the address may not be asked; `limit`: size, time or redirects; `network`: no connection, or it broke. */
  readonly reason: 'refused' | 'limit' | 'network'
  /** Which limit it was. */
  readonly limit: 'size' | 'time' | 'redirects' | undefined
  constructor(
    reason: FetchError['reason'],
    message: string,
    options?: ErrorOptions & { readonly limit?: FetchError['limit'] },
  ) {
    super(message, options)
    this.reason = reason
    this.limit = options?.limit
  }
}
