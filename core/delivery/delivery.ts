import type { Component, ConsumeContext, Consumer, Host, Labels, PipelineContext } from '#core/component'
import type { Payload, Signal } from '#core/data'
import type { Send } from './attempt.ts'
import { Drain } from './drain.ts'
import { Lane } from './lane.ts'
import type { DeliveryConfig } from './options.ts'
import type { GiveUp } from './outcome.ts'

export interface DeliveryOptions {
  readonly config: DeliveryConfig
  readonly context: PipelineContext
  readonly send: Send
  /** Labels for sent and failed items beside `exporter`, for instance `server.address`. */
  readonly labels?: Labels | ((signal: Signal) => Labels)
  /** Keeps what is given up, for instance in a file. Not asked where the sender hears of the failure itself. */
  readonly giveUp?: GiveUp
  /** Opens what sending needs; done before the first attempt. */
  readonly start?: (host: Host) => Promise<void>
  /** Closes it again, after the last attempt. */
  readonly shutdown?: () => Promise<void>
}

/** How long a shutdown waits for senders when there is no queue to say so: the default of `drain_timeout`. */
const DRAIN_TIMEOUT = 10_000

/**
 * What stands between an exporter and its destination: a queue for each signal, batching, retry, timeout, with the
 * metrics, log lines and ledger entries of the Collector's exporter helper. `send` is called with one request at a time
 * and consumer; see {@link Send} for how it tells what came of it.
 */
export function createDelivery(options: DeliveryOptions): Component & Consumer {
  return new Delivery(options)
}

class Delivery implements Component, Consumer {
  readonly #options: DeliveryOptions
  readonly #drain: Drain
  readonly #lanes = new Map<Signal, Lane>()
  #shutdown: Promise<void> | undefined

  constructor(options: DeliveryOptions) {
    const { config, context, send, giveUp } = options
    this.#options = options
    this.#drain = new Drain(context.clock)
    for (const signal of context.signals) {
      const labels = typeof options.labels === 'function' ? options.labels(signal) : (options.labels ?? {})
      this.#lanes.set(signal, new Lane({ signal, config, context, send, labels, drain: this.#drain, giveUp }))
    }
  }

  async start(host: Host): Promise<void> {
    await this.#options.start?.(host)
    for (const lane of this.#lanes.values()) await lane.start(host)
  }

  consume(payload: Payload, context: ConsumeContext): Promise<void> {
    const lane = this.#lanes.get(payload.signal)
    if (lane !== undefined) return lane.consume(payload, context)
    return Promise.reject(new Error(`Exporter ${this.#options.context.id} is not wired for ${payload.signal}`))
  }

  shutdown(): Promise<void> {
    this.#shutdown ??= this.#close()
    return this.#shutdown
  }

  async #close(): Promise<void> {
    this.#drain.begin(this.#options.config.sending_queue?.drain_timeout ?? DRAIN_TIMEOUT)
    await Promise.all([...this.#lanes.values()].map(lane => lane.shutdown()))
    this.#drain.end()
    await this.#options.shutdown?.()
  }
}
