/** Where the gateway takes lines for its log. */
export interface Logger {
  info?(line: string): void
  warn?(line: string): void
}

/** Shortest time between two lines about the collector, in milliseconds. */
const QUIET = 300_000

/** Tells of trouble with the collector: when it begins, when it is over, and never more than a line in five minutes. */
export class TroubleLog {
  readonly #logger: () => Logger
  readonly #now: () => number
  #failing = false
  #told = Number.NEGATIVE_INFINITY
  #dropped = 0

  /** `now` gives milliseconds since 1970. */
  constructor(logger: () => Logger, now: () => number) {
    this.#logger = logger
    this.#now = now
  }

  /** Spans were lost; the next line says how many. */
  lost(spans: number): void {
    this.#dropped += spans
  }

  /** An attempt to send ended, with the reason if it failed. */
  attempted(url: string, reason: string | undefined): void {
    const failing = reason !== undefined
    if (failing === this.#failing || this.#now() - this.#told < QUIET) return
    this.#failing = failing
    this.#told = this.#now()
    if (failing)
      this.#logger().warn?.(`Spans cannot be sent to ${url}: ${reason}; they wait, and are dropped when too many`)
    else this.#logger().info?.(`Spans are sent to ${url} again; ${this.#dropped} were dropped`)
    if (!failing) this.#dropped = 0
  }
}
