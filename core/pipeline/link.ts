import { type ConsumeContext, type Consumer, PartialError } from '#core/component'
import type { Payload } from '#core/data'
import { isFromDownstream, markDownstream } from './downstream.ts'
import { type Guard, nameOf } from './guard.ts'

/** Why a payload did not pass: refused by a component further down, or failed at the very next one. */
export type Failure = 'refused' | 'failure'

/** Counts what passes one place of the graph. Called once a request, so it adds numbers and allocates nothing. */
export interface EdgeMeter {
  /** A payload is about to pass. */
  begin?(items: number): void
  /** `items` of it were taken. */
  passed?(items: number): void
  /** `items` of it came back with an error. */
  failed?(items: number, why: Failure): void
}

/**
 * One hop to the next component, and the meters that watch it, outermost first. Immutable. Errors pass unchanged; what
 * the target throws instead of rejecting, and an answer that is no promise, become a rejection.
 */
export class Link implements Consumer {
  readonly meters: readonly EdgeMeter[]
  readonly target: Consumer
  /** Around the component that is the target, if it is one. */
  readonly guard: Guard | undefined

  private constructor(meters: readonly EdgeMeter[], target: Consumer, guard: Guard | undefined) {
    this.meters = meters
    this.target = target
    this.guard = guard
  }

  /** A link to a link is one link: adjoining places are counted in one hop. */
  static to(target: Consumer, meters: readonly EdgeMeter[], guard?: Guard): Link {
    if (target instanceof Link) return new Link([...meters, ...target.meters], target.target, target.guard)
    return new Link(meters, target, guard)
  }

  async consume(data: Payload, context: ConsumeContext): Promise<void> {
    const { items } = data
    const { guard } = this
    for (const meter of this.meters) meter.begin?.(items)
    try {
      const pending: Promise<void> | undefined = this.target.consume(data, context)
      if (typeof pending?.then !== 'function') throw new TypeError(`consume returned ${nameOf(pending)}, not a promise`)
      await (guard?.timed === true ? guard.answered(pending) : pending)
    } catch (error) {
      this.#failed(items, error)
      throw error
    }
    for (const meter of this.meters) meter.passed?.(items)
    if (guard?.failing === true) guard.worked()
  }

  #failed(items: number, error: unknown): void {
    const lost = error instanceof PartialError ? Math.min(error.rejected, items) : items
    let why: Failure = isFromDownstream(error) ? 'refused' : 'failure'
    if (why === 'failure') this.guard?.failed(error)
    markDownstream(error)
    for (const meter of this.meters.toReversed()) {
      if (lost < items) meter.passed?.(items - lost)
      meter.failed?.(lost, why)
      why = 'refused'
    }
  }
}
