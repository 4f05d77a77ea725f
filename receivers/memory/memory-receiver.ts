import type { ReceiverDefinition } from '#core/component'
import type { Payload, PlainRequests, Signal } from '#core/data'

/**
 * Telemetry as a program has it: OTLP protobuf bytes, OTLP/JSON as text or as an object, or a payload. Bytes are copied,
 * so that they may be used again.
 */
export type Telemetry<S extends Signal> =
  | Uint8Array
  | string
  | Payload<S>
  | (S extends keyof PlainRequests ? PlainRequests[S] : never)

/** What goes with it. */
export interface PushOptions {
  /** The receiver among several, `memory` or `memory/name`. Default: the only one there is, or `memory`. */
  readonly id?: string
  /** Request metadata, which processors and extensions may look at. */
  readonly metadata?: Readonly<Record<string, string | readonly string[]>>
  /** A reason to stop waiting for room. */
  readonly signal?: AbortSignal
}

/**
 * A definition that is also the way into its collector. The promises settle once the data is safe with whoever comes
 * next: the destination itself, unless something queues or batches before it. They reject with what a sender should be
 * told: a Refusal, or a TypeError or `Malformed` for what is not telemetry.
 */
export interface MemoryReceiver extends ReceiverDefinition<object, Signal, 'memory', object | undefined> {
  push<S extends Signal>(signal: S, data: Telemetry<S>, options?: PushOptions): Promise<void>
  traces(data: Telemetry<'traces'>, options?: PushOptions): Promise<void>
  metrics(data: Telemetry<'metrics'>, options?: PushOptions): Promise<void>
  logs(data: Telemetry<'logs'>, options?: PushOptions): Promise<void>
}
