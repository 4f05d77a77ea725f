import { type ConsumeContext, type Consumer, RetryableError } from '#core/component'
import type { Payload, Signal } from '#core/data'
import type { Guard } from './guard.ts'

/** Whose outlet it is, and what it carries. */
export interface Owner {
  readonly guard: Guard
  readonly signal: Signal
}

/**
 * The outlet of a running component: what it was given as `next`. Where it leads can be changed while telemetry flows,
 * and it can be held for the moment in which a neighbour is replaced.
 */
export class Cell implements Consumer {
  #target: Consumer
  #held: PromiseWithResolvers<void> | undefined
  readonly #owner: Owner | undefined

  /** @param owner whoever was given this outlet; it is told when it hands on something else than what belongs here */
  constructor(target: Consumer = NOWHERE, owner?: Owner) {
    this.#target = target
    this.#owner = owner
  }

  /** Where payloads go from now on. Those under way stay where they are. */
  connect(target: Consumer): void {
    this.#target = target
  }

  /** Keeps callers waiting until `release`. Nothing that waits has been acknowledged. */
  hold(): void {
    this.#held ??= Promise.withResolvers()
  }

  /** Sends those who wait to where the cell leads now. */
  release(): void {
    this.#held?.resolve()
    this.#held = undefined
  }

  /** @throws {RetryableError} when the sender gives up while the cell is held */
  consume(data: Payload, context: ConsumeContext): Promise<void> {
    const owner = this.#owner
    if (owner === undefined) return this.#pass(data, context)
    const { guard, signal } = owner
    if (data?.signal !== signal || data.chunks === undefined || context?.metadata === undefined) {
      return Promise.reject(guard.misused(data, context, signal))
    }
    return guard.timed ? guard.outgoing(this.#pass(data, context)) : this.#pass(data, context)
  }

  #pass(data: Payload, context: ConsumeContext): Promise<void> {
    return this.#held === undefined ? this.#target.consume(data, context) : this.#wait(data, context)
  }

  async #wait(data: Payload, context: ConsumeContext): Promise<void> {
    while (this.#held !== undefined) await orAborted(this.#held.promise, context.signal)
    return this.#target.consume(data, context)
  }
}

function orAborted(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const abort = () =>
      reject(new RetryableError('cannot pass telemetry on while components are being replaced: the sender gave up'))
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    })
  })
}

const NOWHERE: Consumer = {
  consume: () => Promise.reject(new RetryableError('cannot pass telemetry on: the component is not in a pipeline')),
}
