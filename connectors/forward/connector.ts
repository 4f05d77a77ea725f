import type { ConsumeContext, Consumer, Router } from '#core/component'
import type { Payload } from '#core/data'

/** Answers as the pipelines behind it answer. */
export class ForwardConnector implements Consumer {
  readonly #next: Router

  constructor(next: Router) {
    this.#next = next
  }

  consume(data: Payload, context: ConsumeContext): Promise<void> {
    return this.#next.consume(data, context)
  }
}
