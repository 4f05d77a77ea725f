import type { Consumer, Ledger, PipelineContext } from '#core/component'
import type { Payload } from '#core/data'

/** Counts what it is handed as sent, at once. */
export class NopExporter implements Consumer {
  readonly #ledger: Ledger

  constructor(context: PipelineContext) {
    this.#ledger = context.ledger
  }

  consume(data: Payload): Promise<void> {
    this.#ledger.sent(data.signal, data.items)
    return Promise.resolve()
  }
}
