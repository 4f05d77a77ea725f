/**
 * The one table from what an error means to gRPC codes and HTTP statuses, and back.
 * @module
 */

import { Code, PartialError, PermanentError, Refusal, RetryableError } from '#core/component'
import { Malformed } from '#core/data'
import { DecompressionError } from './decompression-error.ts'

/** What a sender is told, or was told by a destination. */
export interface WireStatus {
  readonly code: Code
  readonly message: string
  /** Milliseconds until a new attempt is welcome, when one was asked for (RetryInfo, Retry-After). */
  readonly retryAfter?: number
}

/**
 * What to tell a sender about `error`: a status that the error carries unchanged, else 3 for data that is not OTLP, 13 for
 * other permanent errors and 14 for all others, as the Collector's OTLP receiver does. Bodies that cannot be decompressed
 * are 3, 8 (too large) or 12 (unknown encoding). A partial success is no error: code 0.
 */
export function statusOf(error: unknown): WireStatus {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof PartialError) return { code: Code.OK, message }
  if (error instanceof Malformed) return { code: Code.INVALID_ARGUMENT, message }
  if (error instanceof DecompressionError) return { code: DECOMPRESSION_CODE[error.kind], message }
  const code =
    (error instanceof Refusal ? error.code : undefined) ??
    (error instanceof PermanentError ? Code.INTERNAL : Code.UNAVAILABLE)
  return error instanceof RetryableError && error.after !== undefined
    ? { code, message, retryAfter: error.after }
    : { code, message }
}

/** The HTTP status that an OTLP/HTTP server answers for a code, as the Collector does. */
export function httpStatusOf(code: Code): number {
  return HTTP_STATUS[code] ?? 500
}

/** The code that stands in the Status body of an HTTP error whose cause carried none, as in the Collector. */
export function codeOfHttp(status: number): Code {
  switch (status) {
    case 400:
      return Code.INVALID_ARGUMENT
    case 401:
      return Code.UNAUTHENTICATED
    case 403:
      return Code.PERMISSION_DENIED
    case 404:
      return Code.UNIMPLEMENTED
    case 429:
      return Code.RESOURCE_EXHAUSTED
    case 502:
    case 503:
    case 504:
      return Code.UNAVAILABLE
    default:
      return Code.UNKNOWN
  }
}

/**
 * The code of a gRPC call that was answered in HTTP only, by a proxy for instance.
 * Source: https://github.com/grpc/grpc/blob/master/doc/http-grpc-status-mapping.md
 */
export function grpcCodeOfHttp(status: number): Code {
  switch (status) {
    case 400:
      return Code.INTERNAL
    case 401:
      return Code.UNAUTHENTICATED
    case 403:
      return Code.PERMISSION_DENIED
    case 404:
      return Code.UNIMPLEMENTED
    case 429:
    case 502:
    case 503:
    case 504:
      return Code.UNAVAILABLE
    default:
      return Code.UNKNOWN
  }
}

/**
 * What a gRPC destination's refusal means for the exporter. RESOURCE_EXHAUSTED is worth a retry only when the
 * destination said when. Source: https://opentelemetry.io/docs/specs/otlp/#failures
 */
export function errorOf(status: WireStatus): PermanentError | RetryableError {
  const { code, message, retryAfter: after } = status
  const retryable = RETRYABLE.has(code) || (code === Code.RESOURCE_EXHAUSTED && after !== undefined)
  if (!retryable) return new PermanentError(message, { code })
  return new RetryableError(message, after === undefined ? { code } : { code, after })
}

/** Whether an OTLP/HTTP exporter tries again. Source: https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes */
export function isRetryableHttp(status: number): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504
}

/** The word for a code in messages, for example `Unavailable`. */
export function codeName(code: Code): string {
  return CODE_NAMES[code] ?? `Code(${code})`
}

const CODE_NAMES =
  'OK Canceled Unknown InvalidArgument DeadlineExceeded NotFound AlreadyExists PermissionDenied ResourceExhausted FailedPrecondition Aborted OutOfRange Unimplemented Internal Unavailable DataLoss Unauthenticated'.split(
    ' ',
  )

const DECOMPRESSION_CODE = {
  malformed: Code.INVALID_ARGUMENT,
  too_large: Code.RESOURCE_EXHAUSTED,
  unsupported: Code.UNIMPLEMENTED,
} as const

const RETRYABLE: ReadonlySet<Code> = new Set([
  Code.CANCELLED,
  Code.DEADLINE_EXCEEDED,
  Code.ABORTED,
  Code.OUT_OF_RANGE,
  Code.UNAVAILABLE,
  Code.DATA_LOSS,
])

const HTTP_STATUS: { readonly [C in Code]?: number } = {
  [Code.OK]: 200,
  [Code.CANCELLED]: 503,
  [Code.DEADLINE_EXCEEDED]: 503,
  [Code.ABORTED]: 503,
  [Code.OUT_OF_RANGE]: 503,
  [Code.UNAVAILABLE]: 503,
  [Code.DATA_LOSS]: 503,
  [Code.RESOURCE_EXHAUSTED]: 429,
  [Code.INVALID_ARGUMENT]: 400,
  [Code.UNAUTHENTICATED]: 401,
  [Code.PERMISSION_DENIED]: 403,
  [Code.UNIMPLEMENTED]: 404,
}
