import {
  type ConsumeContext,
  type Consumer,
  PartialError,
  PermanentError,
  type PipelineContext,
  type Recorders,
  RetryableError,
  type Timer,
} from '#core/component'
import type { Payload } from '#core/data'
import type { BatchConfig } from './config.ts'
import { Pending } from './pending.ts'
import { Receipts } from './receipts.ts'
import type { batchInstruments } from './telemetry.ts'

export interface ShardOptions {
  readonly config: BatchConfig
  readonly next: Consumer
  readonly context: PipelineContext
  readonly instruments: Recorders<typeof batchInstruments>
  /** What batches are sent with. */
  readonly exportContext: ConsumeContext
}

interface Caller {
  readonly payload: Payload
  enter(): void
}

/**
 * The batch of one combination of metadata. One batch is on its way at a time; meanwhile the next one fills, and when
 * that is full too, further senders wait.
 */
export class Shard {
  readonly #options: ShardOptions
  readonly #pending = new Pending()
  readonly #receipts = new Receipts()
  readonly #callers = new Set<Caller>()
  #timer: Timer | undefined
  #due = false
  #closing = false
  #sending: Promise<void> | undefined

  constructor(options: ShardOptions) {
    this.#options = options
  }

  consume(payload: Payload, context: ConsumeContext): Promise<void> {
    if (this.#sending === undefined || (this.#callers.size === 0 && !this.#full)) return this.#enter(payload)
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#callers.delete(caller)
        reject(new RetryableError('Stopped waiting for room in the batch: the sender has gone'))
      }
      const caller: Caller = {
        payload,
        enter: () => {
          context.signal?.removeEventListener('abort', abort)
          this.#enter(payload).then(resolve, reject)
        },
      }
      if (context.signal?.aborted) return abort()
      context.signal?.addEventListener('abort', abort, { once: true })
      this.#callers.add(caller)
    })
  }

  /** Sends everything that waits, whatever its size. */
  async close(): Promise<void> {
    this.#closing = true
    this.#timer?.cancel()
    this.#run()
    while (this.#sending !== undefined) await this.#sending
  }

  get #full(): boolean {
    return !this.#timed || this.#pending.items >= this.#options.config.send_batch_size
  }

  /** Without a timer, every request is sent at once. */
  get #timed(): boolean {
    return this.#options.config.timeout > 0 && this.#options.config.send_batch_size > 0
  }

  #enter(payload: Payload): Promise<void> {
    const { config, context } = this.#options
    this.#pending.add(payload)
    let answer = DONE
    if (config.wait_for_result) {
      answer = this.#receipts.wait(payload.items, sent => {
        if (sent > 0) context.ledger.created(payload.signal, sent)
      })
    } else {
      context.ledger.queued(payload.signal, payload.items)
    }
    this.#run()
    if (this.#timed && this.#sending === undefined && !this.#closing) this.#startTimer()
    return answer
  }

  #startTimer(): void {
    this.#timer ??= this.#options.context.clock.after(this.#options.config.timeout, () => {
      this.#timer = undefined
      this.#due = true
      this.#run()
    })
  }

  /** Starts to send when there is a reason and nothing is being sent. */
  #run(): void {
    if (this.#sending !== undefined || this.#trigger() === undefined) return
    this.#sending = this.#sendAll()
  }

  #trigger(): 'size' | 'timeout' | undefined {
    if (this.#pending.items === 0) return undefined
    if (this.#full) return 'size'
    return this.#due || this.#closing ? 'timeout' : undefined
  }

  /** Whoever comes after the last trigger was looked at finds nothing being sent: no turn lies between. */
  async #sendAll(): Promise<void> {
    for (let trigger = this.#trigger(); trigger !== undefined; trigger = this.#trigger()) {
      this.#timer?.cancel()
      this.#timer = undefined
      this.#due = false
      await this.#send(this.#pending.take(this.#options.config.send_batch_max_size), trigger)
      for (const caller of this.#callers) {
        if (this.#pending.items > 0 && this.#full) break
        this.#callers.delete(caller)
        caller.enter()
      }
    }
    this.#sending = undefined
    if (this.#pending.items > 0 && !this.#closing) this.#startTimer()
  }

  async #send(batch: Payload, trigger: 'size' | 'timeout'): Promise<void> {
    const { config, context, exportContext, instruments, next } = this.#options
    const { ledger, logger } = context
    let error: unknown
    try {
      await next.consume(batch, exportContext)
    } catch (caught) {
      error = caught
    }
    const partial = error instanceof PartialError ? Math.min(error.rejected, batch.items) : 0
    const failed = error !== undefined && !(error instanceof PartialError)
    this.#receipts.settle(batch.items, failed ? error : undefined)
    if (!config.wait_for_result) {
      ledger.queued(batch.signal, -batch.items)
      if (failed) ledger.dropped(batch.signal, batch.items, dropReason(error))
    }
    if (partial > 0) ledger.dropped(batch.signal, partial, 'rejected')
    const lost = failed ? (config.wait_for_result ? 0 : batch.items) : partial
    if (error !== undefined) logger.warn('Sender failed', { error, dropped_items: lost })
    if (failed) return
    instruments.sendSize.record(batch.items)
    instruments.sendSizeBytes.record(batch.bytes)
    if (trigger === 'size') instruments.sizeTriggerSend.add(1)
    else instruments.timeoutTriggerSend.add(1)
  }
}

const DONE = Promise.resolve()

function dropReason(error: unknown): string {
  return error instanceof PermanentError ? 'permanent_error' : 'send_failed'
}
