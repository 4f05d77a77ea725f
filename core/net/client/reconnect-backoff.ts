/**
 * How long to wait before the next attempt to connect: 1 s, then 1.6 times as long each time up to 2 minutes, each
 * spread by 20 %. Source: https://github.com/grpc/grpc/blob/master/doc/connection-backoff.md
 */
export class ReconnectBackoff {
  readonly #random: () => number
  #next = FIRST

  /** `random` gives numbers from 0 to 1. */
  constructor(random: () => number = Math.random) {
    this.#random = random
  }

  /** Milliseconds to wait now; the following wait is longer. */
  next(): number {
    const wait = this.#next * (1 + SPREAD * (2 * this.#random() - 1))
    this.#next = Math.min(LONGEST, this.#next * FACTOR)
    return wait
  }

  /** After a connection that worked. */
  reset(): void {
    this.#next = FIRST
  }
}

const FIRST = 1000
const FACTOR = 1.6
const SPREAD = 0.2
const LONGEST = 120_000
