import type { ConsumeContext, Consumer } from '#core/component'
import type { Payload } from '#core/data'
import { combineRefusals } from './combine-refusals.ts'
import { markDownstream } from './downstream.ts'
import type { Link } from './link.ts'

/**
 * Hands the same payload to several targets at once. Payloads are immutable, so nothing is cloned. A target that
 * refuses does not keep the others from getting it; what the sender is told is in {@link combineRefusals}.
 */
export class FanOut implements Consumer {
  readonly #targets: readonly Link[]

  constructor(targets: readonly Link[]) {
    this.#targets = targets
  }

  async consume(data: Payload, context: ConsumeContext): Promise<void> {
    const answers = await Promise.allSettled(this.#targets.map(target => target.consume(data, context)))
    let errors: unknown[] | undefined
    for (const answer of answers) {
      if (answer.status === 'fulfilled') continue
      errors ??= []
      errors.push(answer.reason)
    }
    if (errors === undefined) return
    const error = combineRefusals(errors)
    markDownstream(error)
    throw error
  }
}

/** One target is passed through; several get a fan-out. */
export function fanOut(targets: readonly Link[]): Consumer {
  return targets.length === 1 ? targets[0]! : new FanOut(targets)
}
