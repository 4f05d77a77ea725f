/** The sources that the server plays. `pages` are what feeds link to. */
export const PLAYED = ['stackoverflow', 'reddit', 'medium', 'devto', 'hashnode', 'youtube', 'rss', 'pages'] as const
export type PlayedSource = (typeof PLAYED)[number]

/** What a source may do instead of answering. */
export type SourceFault =
  /** Status 429 with `Retry-After: 30`. */
  | 'too_many'
  /** Status 500 with a web page. */
  | 'broken'
  /** A web page with status 200. */
  | 'html'
  /** The connection breaks in the middle of the body. */
  | 'truncated'
  /** No JSON or XML. */
  | 'garbage'
  /** No answer at all. */
  | 'silent'
  /** Status 403. */
  | 'forbidden'
  /** The quota is used up, as each source says it. */
  | 'quota'

export interface PlayedRequest {
  readonly source: PlayedSource
  /** From 1, for each source. */
  readonly number: number
  readonly method: string
  /** Path and query below the source's endpoint. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  /** Milliseconds since the Unix epoch. */
  readonly at: number
}

export interface SourcesOptions {
  /** Topics that a source has of each keyword; default 10. */
  readonly topics?: number | Partial<Record<PlayedSource, number>>
  /** Milliseconds until each answer; default 0. */
  readonly latency?: number
  /** The time that topics are dated by, in milliseconds since the Unix epoch; default the system's. */
  readonly now?: () => number
  /** What a request meets instead of an answer. */
  readonly fault?: (request: PlayedRequest) => SourceFault | undefined
  /** What a request gets instead of the played answer: JSON when it is no text. */
  readonly reply?: (
    request: PlayedRequest,
  ) =>
    | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body: unknown }
    | undefined
  /** What the `rss` feed is about; default `opentelemetry`. */
  readonly feedKeyword?: string
}
