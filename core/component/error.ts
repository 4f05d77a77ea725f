/** The gRPC status codes that components may name; `core/net` holds the table to and from HTTP. */
export const Code = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
} as const
export type Code = (typeof Code)[keyof typeof Code]

/** What a refusal may carry beside its sentence. */
export interface RefusalOptions {
  readonly cause?: unknown
  /** The status to show to the sender unchanged, when one is known, for instance a backend's answer. */
  readonly code?: Code
}

/** Why telemetry was not taken. Anything thrown by `consume` that is not a Refusal is treated as retryable. */
export abstract class Refusal extends Error {
  readonly code: Code | undefined
  constructor(message: string, options: RefusalOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = options.code
  }
}

/** Trying again is useless: the data is malformed or the destination will never take it. */
export class PermanentError extends Refusal {
  override name = 'PermanentError'
}

/** Trying again later may succeed: the queue is full, memory is short, the backend is away. */
export class RetryableError extends Refusal {
  override name = 'RetryableError'
  /** Milliseconds the destination asked to wait, if it did (Retry-After, RetryInfo). */
  readonly after: number | undefined
  constructor(message: string, options: RefusalOptions & { readonly after?: number } = {}) {
    super(message, options)
    this.after = options.after
  }
}

/** Most of it was taken: `rejected` items were not, and trying again is useless for them. Not a failure for the sender. */
export class PartialError extends Refusal {
  override name = 'PartialError'
  readonly rejected: number
  constructor(rejected: number, why: string, options: RefusalOptions = {}) {
    super(why, options)
    // What a destination says may be anything.
    this.rejected = rejected > 0 ? Math.trunc(Math.min(rejected, Number.MAX_SAFE_INTEGER)) : 0
  }
}

/** Whether the sender should try again. */
export function isRetryable(error: unknown): boolean {
  return !(error instanceof PermanentError || error instanceof PartialError)
}
