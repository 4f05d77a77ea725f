import {
  type ConsumeContext,
  type Host,
  type Labels,
  type Ledger,
  type Logger,
  type PipelineContext,
  RetryableError,
} from '#core/component'
import type { Payload, Signal } from '#core/data'
import { Attempts, type Send } from './attempt.ts'
import { type Batch, Batcher, type Part } from './batcher.ts'
import { Consumers } from './consumers.ts'
import { Deque } from './deque.ts'
import type { Drain } from './drain.ts'
import { InFlight } from './in-flight.ts'
import { findInStorage, leaveInStorage } from './left-overs.ts'
import { Observed } from './observe.ts'
import { openQueue } from './open-queue.ts'
import type { DeliveryConfig, QueueConfig } from './options.ts'
import type { Failed, GiveUp, Outcome } from './outcome.ts'
import type { Held, Queue } from './queue.ts'
import { QueueObserver } from './queue-observer.ts'
import { Retry } from './retry.ts'
import { batchSizer } from './sizer.ts'

export interface LaneOptions {
  readonly signal: Signal
  readonly config: DeliveryConfig
  readonly context: PipelineContext
  readonly send: Send
  readonly labels: Labels
  readonly drain: Drain
  readonly giveUp?: GiveUp | undefined
}

/** The way of one signal through one exporter: queue, batch, observe, retry, timeout, send. */
export class Lane {
  readonly #signal: Signal
  readonly #config: QueueConfig | undefined
  readonly #context: PipelineContext
  readonly #ledger: Ledger
  readonly #logger: Logger
  readonly #drain: Drain
  readonly #observed: Observed
  readonly #observer: QueueObserver | undefined
  readonly #hint: string
  readonly #waitForResult: boolean
  readonly #readers: Consumers<Held>
  readonly #senders: Consumers<Batch>
  readonly #batcher: Batcher | undefined
  readonly #ready = new Deque<Batch>()
  #queue: Queue | undefined
  /** Requests that are sent without a queue. */
  readonly #direct = new InFlight()
  /** Requests that wait for room or for storage. */
  readonly #entering = new InFlight()
  #stopped = false
  #droppedAtShutdown = 0
  /** Items in the ledger as queued here. */
  #booked = 0

  constructor({ signal, config, context, send, labels, drain, giveUp }: LaneOptions) {
    const queue = config.sending_queue
    const { clock, logger } = context
    this.#signal = signal
    this.#config = queue
    this.#context = context
    this.#ledger = context.ledger
    this.#logger = logger
    this.#drain = drain
    this.#hint = hintOf(config)
    this.#waitForResult = queue?.wait_for_result ?? false
    const attempts = new Attempts(send, config.timeout, clock, drain)
    const retryWhileDraining = queue?.storage === undefined
    const keep = queue === undefined || queue.wait_for_result ? undefined : giveUp
    const retry = new Retry({
      config: config.retry_on_failure,
      attempts,
      clock,
      logger,
      drain,
      retryWhileDraining,
      giveUp: keep,
    })
    this.#observed = new Observed(retry, signal, context, labels, queue?.batch !== undefined)
    this.#observer = queue === undefined ? undefined : new QueueObserver(context, signal)
    const limit = queue?.num_consumers ?? 1
    this.#senders = new Consumers(
      limit,
      () => this.#nextBatch(),
      batch => this.#deliver(batch),
    )
    this.#readers = new Consumers(
      1,
      () => (this.#ready.length < limit ? this.#nextHeld() : undefined),
      async held => this.#batcher!.add(held),
    )
    if (queue?.batch !== undefined) {
      this.#batcher = new Batcher(queue.batch, batchSizer(queue), clock, batch => {
        this.#ready.push(batch)
        this.#senders.poke()
      })
    }
  }

  /** Opens the queue and begins to send what an earlier process left in it. */
  async start(host: Host): Promise<void> {
    const config = this.#config
    if (config === undefined) return
    const { queue, found } = await openQueue(config, {
      host,
      signal: this.#signal,
      context: this.#context,
      onOffer: () => this.#poke(),
      onDamaged: items => {
        this.#book(-items)
        this.#ledger.dropped(this.#signal, items, 'damaged')
      },
    })
    this.#queue = queue
    this.#observer?.watch(queue)
    if (queue.durable) findInStorage(this.#ledger, this.#signal, found)
    this.#booked = found
    for (let i = Math.min(config.num_consumers, queue.waiting); i > 0; i--) this.#poke()
  }

  consume(payload: Payload, context: ConsumeContext): Promise<void> {
    if (this.#stopped) return Promise.reject(new RetryableError('sending queue is stopped'))
    if (this.#config === undefined) return this.#sendDirectly(payload, context)
    if (payload.items === 0 && this.#signal !== 'profiles') return DONE
    const span = this.#observer!.offered(payload, context)
    const entering = this.#enqueue(payload, context)
    if (span !== undefined) void entering.catch(() => {}).then(() => span.end())
    return entering
  }

  #enqueue(payload: Payload, context: ConsumeContext): Promise<void> {
    if (this.#waitForResult) return this.#offerAndWait(payload, context)
    let entering: Promise<void> | undefined
    try {
      entering = this.#accepting().offer(payload, detached(context), context.signal)
    } catch (error) {
      return Promise.reject(this.#refused(payload, error))
    }
    if (entering !== undefined) return this.#entered(payload, entering)
    this.#book(payload.items)
    return DONE
  }

  async #entered(payload: Payload, entering: Promise<void>): Promise<void> {
    this.#entering.begin()
    try {
      await entering
      this.#book(payload.items)
    } catch (error) {
      throw this.#refused(payload, error)
    } finally {
      this.#entering.end()
    }
  }

  /**
   * Stops taking in; sends what was accepted until that is done or `drain` is over. A queue in storage keeps what is
   * not under way.
   */
  async shutdown(): Promise<void> {
    this.#stopped = true
    await this.#direct.none()
    const queue = this.#queue
    if (queue === undefined) return
    queue.stop()
    do {
      if (!queue.durable) this.#batcher?.flush()
      this.#poke()
      await this.#readers.idle()
      await this.#senders.idle()
    } while (!queue.durable && (queue.waiting > 0 || this.#ready.length > 0 || this.#batcher?.pending))
    this.#batcher?.clear()
    await queue.close()
    await this.#entering.none()
    if (queue.durable) leaveInStorage(this.#ledger, this.#signal, this.#booked)
    this.#observer?.close()
    if (this.#droppedAtShutdown > 0) {
      this.#logger.error('Shutdown ended before everything was sent. Dropping data.', {
        dropped_items: this.#droppedAtShutdown,
      })
    }
  }

  #book(items: number): void {
    this.#booked += items
    this.#ledger.queued(this.#signal, items)
  }

  #accepting(): Queue {
    if (this.#queue === undefined) throw new RetryableError('sending queue is not started')
    return this.#queue
  }

  #offerAndWait(payload: Payload, context: ConsumeContext): Promise<void> {
    return new Promise((resolve, reject) => {
      const refuse = (error: unknown) => reject(this.#refused(payload, error))
      const answer = (held: Held) => {
        if (held.failure === undefined) resolve()
        else reject(this.#rejected(payload, held.failure.error))
      }
      try {
        this.#accepting().offer(payload, context, context.signal, answer)?.catch(refuse)
      } catch (error) {
        refuse(error)
      }
    })
  }

  async #sendDirectly(payload: Payload, context: ConsumeContext): Promise<void> {
    this.#direct.begin()
    try {
      const outcome = await this.#observed.run(payload, context, context.signal)
      if (!outcome.ok) throw this.#rejected(payload, outcome.error)
      this.#arrived(payload.items, outcome.rejected)
    } finally {
      this.#direct.end()
    }
  }

  #poke(): void {
    if (this.#batcher === undefined) this.#senders.poke()
    else this.#readers.poke()
  }

  /** Nothing more is taken from a queue in storage once the shutdown has begun: it is safe there. */
  #nextHeld(): Held | undefined | Promise<Held | undefined> {
    const queue = this.#queue!
    return queue.durable && this.#drain.deadline !== undefined ? undefined : queue.take()
  }

  #nextBatch(): Batch | undefined | Promise<Batch | undefined> {
    if (this.#batcher !== undefined) {
      const batch = this.#ready.shift()
      if (batch !== undefined && this.#queue!.waiting > 0) this.#readers.poke()
      return batch
    }
    const held = this.#nextHeld()
    return held instanceof Promise ? held.then(single) : single(held)
  }

  async #deliver({ payload, context, parts }: Batch): Promise<void> {
    const origins = parts.length > 1 ? parts.flatMap(part => part.held.context.traceparent ?? []) : undefined
    const outcome = await this.#observed.run(payload, context, context.signal, origins)
    if (!outcome.ok && outcome.reason === 'shutdown' && this.#queue!.durable) return
    if (!this.#waitForResult) this.#account(payload.items, outcome)
    for (const part of parts) this.#settle(part, outcome)
  }

  /** Items whose senders were told that they are safe leave the queue, one way or the other. */
  #account(items: number, outcome: Outcome): void {
    this.#book(-items)
    if (outcome.ok) this.#arrived(items, outcome.rejected)
    else this.#lost(items, outcome)
  }

  #settle({ held, items }: Part, outcome: Outcome): void {
    held.outstanding -= items
    if (!outcome.ok) held.failure ??= outcome
    else if (outcome.rejected > 0) held.rejected += Math.min(outcome.rejected, items)
    if (held.outstanding > 0) return
    if (this.#waitForResult && held.failure === undefined) this.#arrived(held.payload.items, held.rejected)
    this.#queue!.settle(held)
  }

  #arrived(items: number, rejected: number): void {
    const lost = Math.min(items, rejected)
    if (lost < items) this.#ledger.sent(this.#signal, items - lost)
    if (lost > 0) this.#ledger.dropped(this.#signal, lost, 'rejected')
  }

  #lost(items: number, { error, reason }: Failed): void {
    this.#ledger.dropped(this.#signal, items, reason)
    if (reason === 'shutdown') this.#droppedAtShutdown += items
    else this.#logger.error(`Exporting failed. Dropping data.${this.#hint}`, { error, dropped_items: items })
  }

  #refused(payload: Payload, error: unknown): unknown {
    this.#observer!.refused(payload)
    return this.#rejected(payload, error)
  }

  #rejected(payload: Payload, error: unknown): unknown {
    this.#logger.error(`Exporting failed. Rejecting data.${this.#hint}`, { error, rejected_items: payload.items })
    return error
  }
}

const DONE = Promise.resolve()

function single(held: Held | undefined): Batch | undefined {
  if (held === undefined) return undefined
  return { payload: held.payload, context: held.context, parts: [{ held, items: held.payload.items }] }
}

/** The context without the sender's signal: what was accepted is sent although the sender has gone. */
function detached(context: ConsumeContext): ConsumeContext {
  if (context.signal === undefined) return context
  const { signal: _, ...rest } = context
  return rest
}

function hintOf(config: DeliveryConfig): string {
  return [
    config.retry_on_failure === undefined &&
      ' Try enabling retry_on_failure config option to retry on retryable errors.',
    config.sending_queue === undefined && ' Try enabling sending_queue to survive temporary failures.',
  ]
    .filter(Boolean)
    .join('')
}
