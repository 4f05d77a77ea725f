import type { ConsumeContext } from '#core/component'
import type { Payload } from '#core/data'
import type { Failed } from './outcome.ts'

/** Tells a waiting sender what came of its request. */
export type Answer = (held: Held) => void

/** One request in the hands of a consumer of the queue. It may be sent in several parts; all are settled here. */
export class Held {
  readonly payload: Payload
  readonly context: ConsumeContext
  /** In units of the queue's sizer. */
  readonly size: number
  /** Items not yet settled. */
  outstanding: number
  /** Items the destination rejected. */
  rejected = 0
  /** The first failure of a part. */
  failure: Failed | undefined
  readonly answer: Answer | undefined

  constructor(payload: Payload, context: ConsumeContext, size: number, answer?: Answer) {
    this.payload = payload
    this.context = context
    this.size = size
    this.outstanding = payload.items
    this.answer = answer
  }
}

/** Where requests wait for a consumer. What has been taken counts against its capacity until it is settled. */
export interface Queue {
  /** Units in use, of `capacity`. */
  readonly size: number
  readonly capacity: number
  /** Requests that can be taken now. */
  readonly waiting: number
  /** Whether what it took in outlives the process. */
  readonly durable: boolean
  /**
   * Takes a request in. Returns nothing when that is done; else a promise of it. `signal` ends a wait for room.
   * `answer` is told what came of the request, for senders who wait for that.
   * @throws {RetryableError} when it is full, {PermanentError} when the request will never fit; also as rejections
   */
  offer(payload: Payload, context: ConsumeContext, signal?: AbortSignal, answer?: Answer): Promise<void> | undefined
  /** The next request, in order; nothing when none waits. */
  take(): Held | undefined | Promise<Held | undefined>
  /** A request taken has been sent or given up: forgets it, makes room and answers who waits. */
  settle(held: Held): void
  /** Refuses every further offer. What was accepted can still be taken. */
  stop(): void
  /** Resolves once nothing is left to write. */
  close(): Promise<void>
}
