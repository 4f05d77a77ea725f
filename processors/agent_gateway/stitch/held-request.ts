import { type ConsumeContext, PartialError } from '#core/component'
import type { Payload } from '#core/data'

/**
 * A request whose spans wait. It may leave in several parts, since traces leave when their own windows are over; it is
 * answered when the last part has.
 */
export class HeldRequest {
  readonly context: ConsumeContext
  /** What still waits; empty when all parts have left. */
  waiting: Payload<'traces'> | undefined
  /** Trace ids of what waits. */
  readonly traces = new Set<string>()
  /** Parts on their way, as they came in. */
  readonly underWay = new Set<Payload<'traces'>>()
  /** Its key in storage; `undefined` when senders are kept waiting. */
  readonly stored: string | undefined
  readonly #outcome = Promise.withResolvers<void>()
  #delivered = 0
  #rejected = 0
  #parts = 0
  #error: unknown
  #partial: PartialError | undefined

  constructor(payload: Payload<'traces'>, context: ConsumeContext, stored?: string) {
    this.waiting = payload
    this.context = context
    this.stored = stored
    // Of stored requests nobody waits for the outcome.
    this.#outcome.promise.catch(() => {})
  }

  /** Settles with what came of all parts. */
  get outcome(): Promise<void> {
    return this.#outcome.promise
  }

  /** Items that were handed on, when the request as a whole is refused. */
  get delivered(): number {
    return this.#delivered
  }

  get isDone(): boolean {
    return this.waiting === undefined && this.underWay.size === 0
  }

  /**
   * A part that left with `items` has been taken (no error), taken in part or refused. The answer to the sender: the
   * first refusal; else the sum of what was rejected.
   * @returns whether it was the last and the request as a whole is refused
   */
  settle(part: Payload<'traces'>, items: number, error: unknown): boolean {
    this.underWay.delete(part)
    this.#parts++
    if (error instanceof PartialError) {
      this.#partial = error
      this.#rejected += error.rejected
      this.#delivered += items - error.rejected
    } else if (error === undefined) this.#delivered += items
    else this.#error ??= error
    if (!this.isDone) return false
    if (this.#error !== undefined) {
      this.#outcome.reject(this.#error)
      return true
    }
    if (this.#partial === undefined) this.#outcome.resolve()
    else if (this.#parts === 1) this.#outcome.reject(this.#partial)
    else this.#outcome.reject(new PartialError(this.#rejected, this.#partial.message, { cause: this.#partial }))
    return false
  }
}
