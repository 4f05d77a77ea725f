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

  consume(data: Payload, context: ConsumeContext): Promise<void> {
    return new Promise((resolve, reject) => {
      let waiting = this.#targets.length
      let errors: unknown[] | undefined
      const settled = () => {
        if (--waiting > 0) return
        if (errors === undefined) resolve()
        else reject(combined(errors))
      }
      const failed = (error: unknown) => {
        errors ??= []
        errors.push(error)
        settled()
      }
      for (const target of this.#targets) target.consume(data, context).then(settled, failed)
    })
  }
}

function combined(errors: readonly unknown[]): unknown {
  const error = combineRefusals(errors)
  markDownstream(error)
  return error
}

/** One target is passed through; several get a fan-out. */
export function fanOut(targets: readonly Link[]): Consumer {
  return targets.length === 1 ? targets[0]! : new FanOut(targets)
}
