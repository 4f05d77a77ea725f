import type { Payload, Signal } from '#core/data'
import type { TraceHeaders } from './trace-context.ts'

/** Request metadata: header names in lower case. Filled only when the receiver has `include_metadata`. */
export type Metadata = ReadonlyMap<string, readonly string[]>

/** Who sent a request, as an authenticator found out. */
export interface AuthData {
  /** What `from_context: auth.<name>` reads. */
  attribute(name: string): unknown
  readonly names: readonly string[]
}

/** What travels with a payload. A queue or batch that merges requests keeps only what it documents. */
export interface ConsumeContext {
  readonly metadata: Metadata
  /** Address of the peer, `ip:port`, when there is one. */
  readonly clientAddress?: string
  readonly auth?: AuthData
  /** Aborted when the sender has gone or its deadline has passed: a reason to stop waiting for room, not to drop what was begun. */
  readonly signal?: AbortSignal
  /** W3C trace context of the collector's own span around this request. */
  readonly traceparent?: string
  /** Headers of the request that name the sender's trace, as they came in; for the receiver's own span. */
  readonly traceHeaders?: TraceHeaders
}

/** The context of data that no request brought. */
export const NO_CONTEXT: ConsumeContext = Object.freeze({ metadata: new Map<string, readonly string[]>() })

/**
 * Takes in what is handed to it. Settles once the data is safe with whoever comes next; rejects with what the sender
 * should be told: a Refusal (permanent, retryable, partial), anything else counts as retryable.
 */
export interface Consumer<S extends Signal = Signal> {
  consume(data: Payload<S>, context: ConsumeContext): Promise<void>
}

/** A consumer for each signal that is wired; the others are absent. */
export type Consumers<S extends Signal = Signal> = { readonly [K in S]?: Consumer<K> }
