import type { ConsumeContext, Consumer, PipelineContext } from '#core/component'
import type { Payload } from '#core/data'

/** Hands on to the program. What is taken counts as sent. */
export class MemoryOutlet implements Consumer {
  readonly #take: (payload: Payload, context: ConsumeContext) => void | Promise<void>
  readonly #context: PipelineContext

  constructor(take: (payload: Payload, context: ConsumeContext) => void | Promise<void>, context: PipelineContext) {
    this.#take = take
    this.#context = context
  }

  async consume(payload: Payload, context: ConsumeContext): Promise<void> {
    await this.#take(payload, context)
    this.#context.ledger.sent(payload.signal, payload.items)
  }
}
