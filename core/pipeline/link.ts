import { type ConsumeContext, type Consumer, PartialError } from '#core/component'
import type { Payload } from '#core/data'
import { isFromDownstream, markDownstream } from './downstream.ts'

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
 * the target throws instead of rejecting becomes a rejection.
 */
export class Link implements Consumer {
  readonly meters: readonly EdgeMeter[]
  readonly target: Consumer

  private constructor(meters: readonly EdgeMeter[], target: Consumer) {
    this.meters = meters
    this.target = target
  }

  /** A link to a link is one link: adjoining places are counted in one hop. */
  static to(target: Consumer, meters: readonly EdgeMeter[]): Link {
    if (target instanceof Link) return new Link([...meters, ...target.meters], target.target)
    return new Link(meters, target)
  }

  async consume(data: Payload, context: ConsumeContext): Promise<void> {
    const { items } = data
    for (const meter of this.meters) meter.begin?.(items)
    try {
      await this.target.consume(data, context)
    } catch (error) {
      this.#failed(items, error)
      throw error
    }
    for (const meter of this.meters) meter.passed?.(items)
  }

  #failed(items: number, error: unknown): void {
    const lost = error instanceof PartialError ? Math.min(error.rejected, items) : items
    let why: Failure = isFromDownstream(error) ? 'refused' : 'failure'
    markDownstream(error)
    for (const meter of this.meters.toReversed()) {
      if (lost < items) meter.passed?.(items - lost)
      meter.failed?.(lost, why)
      why = 'refused'
    }
  }
}
