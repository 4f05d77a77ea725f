import { totalmem } from 'node:os'
import { RetryableError } from '#core/component'
import type { Admission, Release } from './admission.ts'

/**
 * So many bytes of bodies at once and no more. A single body larger than the whole budget is let in when nothing else
 * is held: size limits are for others to keep.
 */
export class ByteBudget implements Admission {
  readonly limit: number
  #held = 0

  constructor(limit: number) {
    this.limit = limit
  }

  /** Bytes granted and not given back. */
  get held(): number {
    return this.#held
  }

  admit(bytes: number): Release | RetryableError {
    if (this.#held >= this.limit || (this.#held > 0 && this.#held + bytes > this.limit)) {
      return new RetryableError(`too many request bodies in memory: ${this.#held} of ${this.limit} bytes in use`, {
        after: RETRY_AFTER,
      })
    }
    this.#held += bytes
    return () => {
      this.#held -= bytes
    }
  }
}

/** Milliseconds: bodies leave as soon as the next component has them. */
const RETRY_AFTER = 1000

/**
 * What all servers of the process share: a quarter of the memory it may use, counted from the first bytes of a body
 * until its handler has settled. Without it a thousand connections could fill gigabytes that no single limit sees.
 */
export const processBudget = new ByteBudget(
  Math.floor(Math.min(totalmem(), process.constrainedMemory() || totalmem()) / 4),
)
