import { type ConsumeContext, type Consumer, RetryableError } from '#core/component'
import type { Payload, Signal } from '#core/data'

type Refuser<S extends Signal> = (data: Payload<S>) => Error | undefined

/**
 * The end of the line: remembers what it took, in order, and can be told to refuse, to fail now and then, or to keep
 * its callers waiting.
 */
export class Sink<S extends Signal = Signal> implements Consumer<S> {
  /** What was taken. Refused payloads are not among them. */
  readonly payloads: Payload<S>[] = []
  readonly contexts: ConsumeContext[] = []
  /** Calls of `consume`, refused ones included. */
  calls = 0
  /** Calls that have not been answered. */
  waiting = 0
  /** The highest `waiting` has been. */
  peak = 0
  #refuse: Refuser<S> = () => undefined
  #gate: PromiseWithResolvers<void> | undefined
  readonly #arrivals = new Set<() => void>()

  async consume(data: Payload<S>, context: ConsumeContext): Promise<void> {
    this.calls++
    this.waiting++
    this.peak = Math.max(this.peak, this.waiting)
    this.#announce()
    try {
      while (this.#gate !== undefined) await this.#gate.promise
      const error = this.#refuse(data)
      if (error !== undefined) throw error
      this.payloads.push(data)
      this.contexts.push(context)
    } finally {
      this.waiting--
      this.#announce()
    }
  }

  /** Items taken. */
  get items(): number {
    return this.payloads.reduce((sum, payload) => sum + payload.items, 0)
  }

  /** From now on refuses everything with `error`. */
  refuse(error: Error = new RetryableError('sink refuses')): void {
    this.#refuse = () => error
  }

  /** From now on refuses every n-th call with `error`. */
  failEvery(n: number, error: Error = new RetryableError(`sink refuses every ${n}th request`)): void {
    let calls = 0
    this.#refuse = () => (++calls % n === 0 ? error : undefined)
  }

  /** From now on refuses what `decide` returns an error for. */
  refuseWhen(decide: Refuser<S>): void {
    this.#refuse = decide
  }

  /** From now on takes everything. */
  accept(): void {
    this.#refuse = () => undefined
  }

  /** From now on keeps its callers waiting until `release`. */
  hold(): void {
    this.#gate ??= Promise.withResolvers()
  }

  /** Answers those who wait, by the rule in force now. */
  release(): void {
    this.#gate?.resolve()
    this.#gate = undefined
  }

  /** Resolves once `condition` holds; looked at whenever a call arrives or is answered. */
  when(condition: (sink: this) => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const look = () => {
      if (!condition(this)) return
      this.#arrivals.delete(look)
      resolve()
    }
    this.#arrivals.add(look)
    look()
    return promise
  }

  /** Resolves once at least `items` items were taken. */
  received(items: number): Promise<void> {
    return this.when(sink => sink.items >= items)
  }

  #announce(): void {
    for (const look of this.#arrivals) look()
  }
}
