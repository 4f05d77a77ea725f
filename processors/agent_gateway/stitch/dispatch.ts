import {
  type Consumer,
  isRetryable,
  PartialError,
  type PipelineContext,
  RetryableError,
  type Timer,
} from '#core/component'
import type { Payload } from '#core/data'
import type { HeldRequest } from './held-request.ts'
import type { SpanStore } from './span-store.ts'

/** A part of a request that is ready to leave. */
export interface Parcel {
  readonly request: HeldRequest
  /** As it came in. */
  readonly payload: Payload<'traces'>
  /** As it leaves. */
  readonly sealed: Payload<'traces'>
  /** It was refused for good, or is no longer tried: its spans have not left. */
  onFailure(): void
}

/** Milliseconds between two attempts of a stored part: the first, doubled each time up to the last. */
const FIRST_WAIT = 1000
const LONGEST_WAIT = 30_000

/**
 * Hands parts on and tells what came of them: to the sender who waits; or, of stored requests, to the storage and the
 * ledger, trying again as long as that may help.
 */
export class Dispatch {
  readonly #next: Consumer
  readonly #context: PipelineContext
  readonly #underWay = new Set<Promise<void>>()
  readonly #retries = new Map<Timer, Parcel>()
  #store: SpanStore | undefined
  #items = 0
  #closing = false

  constructor(next: Consumer, context: PipelineContext) {
    this.#next = next
    this.#context = context
  }

  /** Where stored requests lie. */
  set store(store: SpanStore) {
    this.#store = store
  }

  /** Spans on their way, those that are tried again included. */
  get items(): number {
    return this.#items
  }

  send(parcel: Parcel): void {
    this.#items += parcel.payload.items
    this.#try(parcel, FIRST_WAIT)
  }

  /** Resolves once everything is settled, except stored parts that were refused: they are left in storage. */
  async close(): Promise<void> {
    this.#closing = true
    for (const [timer, parcel] of this.#retries) {
      timer.cancel()
      parcel.onFailure()
    }
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  #try(parcel: Parcel, wait: number): void {
    const attempt = this.#attempt(parcel, wait).finally(() => this.#underWay.delete(attempt))
    this.#underWay.add(attempt)
  }

  async #attempt(parcel: Parcel, wait: number): Promise<void> {
    const { request, sealed } = parcel
    let error: unknown
    try {
      if (sealed.items > 0) await this.#next.consume(sealed, request.context)
    } catch (caught) {
      error = caught
    }
    if (request.stored === undefined) this.#answer(parcel, error)
    else if (error !== undefined && isRetryable(error)) this.#again(parcel, error, wait)
    else this.#settleStored(parcel, error)
  }

  #answer({ request, payload, sealed, onFailure }: Parcel, error: unknown): void {
    const { ledger } = this.#context
    const failed = error !== undefined && !(error instanceof PartialError)
    this.#items -= payload.items
    if (failed) onFailure()
    else this.#enterDoubles(payload.items - sealed.items)
    const refused = request.settle(payload, payload.items, error)
    if (refused && request.delivered > 0) ledger.created('traces', request.delivered)
  }

  #again(parcel: Parcel, error: unknown, wait: number): void {
    const { clock, logger } = this.#context
    if (this.#closing) {
      parcel.onFailure()
      return
    }
    const after = Math.max(wait, (error instanceof RetryableError ? error.after : undefined) ?? 0)
    logger.warn('Could not hand on stored spans. Trying again.', { error, items: parcel.sealed.items, after_ms: after })
    const timer = clock.after(after, () => {
      this.#retries.delete(timer)
      this.#try(parcel, Math.min(wait * 2, LONGEST_WAIT))
    })
    this.#retries.set(timer, parcel)
  }

  #settleStored({ request, payload, sealed, onFailure }: Parcel, error: unknown): void {
    const { ledger, logger } = this.#context
    this.#items -= payload.items
    request.settle(payload, payload.items, undefined)
    this.#store!.settled(request)
    ledger.queued('traces', -payload.items)
    this.#enterDoubles(payload.items - sealed.items)
    if (error === undefined) return
    const partial = error instanceof PartialError
    const lost = partial ? Math.min(error.rejected, sealed.items) : sealed.items
    if (!partial) onFailure()
    ledger.dropped('traces', lost, partial ? 'rejected' : 'permanent_error')
    logger.error('Stored spans were refused for good. Dropping them.', { error, dropped_items: lost })
  }

  #enterDoubles(items: number): void {
    if (items > 0) this.#context.ledger.dropped('traces', items, 'double')
  }
}
