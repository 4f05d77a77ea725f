import { type PartialError, PermanentError, Refusal, RetryableError } from '#core/component'
import type { Payload } from '#core/data'

/** Why items did not reach their destination, as entered in the ledger. */
export type DropReason =
  /** The destination will never take them. */
  | 'permanent_error'
  /** `max_elapsed_time` would have passed before the next attempt. */
  | 'retries_exhausted'
  /** The destination could not take them and `retry_on_failure` is off. */
  | 'retry_disabled'
  /** The process ended before the destination could take them. */
  | 'shutdown'
  /** The sender went away between two attempts. */
  | 'cancelled'

/** The destination has the request, save for the items it rejected. */
export interface Delivered {
  readonly ok: true
  readonly rejected: number
  /** What the destination said about the items it rejected. */
  readonly why?: string
}

/** The destination has nothing of the request. */
export interface Failed {
  readonly ok: false
  /** For the sender, where one still waits, and for the log. */
  readonly error: Refusal
  /** What the last attempt met. */
  readonly cause: unknown
  readonly reason: DropReason
}

export type Outcome = Delivered | Failed

/**
 * Asked about a request that is given up although its sender was told that it is safe: the last chance to keep it
 * elsewhere. Resolves to how many of its items did not arrive, where an attempt got some of them through; `undefined`
 * when none did.
 */
export type GiveUp = (payload: Payload, failure: Pick<Failed, 'error' | 'reason'>) => Promise<PartialError | undefined>

/** Everything arrived. */
export const DELIVERED: Delivered = Object.freeze({ ok: true, rejected: 0 })

export function partly(error: PartialError): Delivered {
  return { ok: true, rejected: error.rejected, why: error.message }
}

/**
 * A failure whose sentence is that of `cause`, after `prefix` when there is one; meaning, status and the wait asked for
 * are those of `cause`.
 */
export function failed(reason: DropReason, prefix: string, cause: unknown): Failed {
  return { ok: false, error: prefix === '' && cause instanceof Refusal ? cause : refusal(prefix, cause), cause, reason }
}

function refusal(prefix: string, cause: unknown): Refusal {
  const sentence = cause instanceof Error ? cause.message : String(cause)
  const message = prefix === '' ? sentence : `${prefix}: ${sentence}`
  const code = cause instanceof Refusal && cause.code !== undefined ? { code: cause.code } : {}
  const after = cause instanceof RetryableError && cause.after !== undefined ? { after: cause.after } : {}
  return cause instanceof PermanentError
    ? new PermanentError(message, { cause, ...code })
    : new RetryableError(message, { cause, ...code, ...after })
}
