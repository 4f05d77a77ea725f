import {
  type Clock,
  type ConsumeContext,
  type Logger,
  PartialError,
  PermanentError,
  RetryableError,
} from '#core/component'
import type { Payload } from '#core/data'
import { type Attempts, ShutdownError } from './attempt.ts'
import { Backoff, DRAIN_BACKOFF } from './backoff.ts'
import type { Drain } from './drain.ts'
import { durationText } from './duration-text.ts'
import type { RetryConfig } from './options.ts'
import { DELIVERED, type Failed, failed, type GiveUp, type Outcome, partly } from './outcome.ts'

export interface RetryOptions {
  /** `undefined`: one attempt. */
  readonly config: RetryConfig | undefined
  readonly attempts: Attempts
  readonly clock: Clock
  readonly logger: Logger
  readonly drain: Drain
  /** Whether requests are tried again during a shutdown; not where they are kept in storage anyway. */
  readonly retryWhileDraining: boolean
  /** Has the last word on requests that are given up. Not asked where they stay in storage. */
  readonly giveUp?: GiveUp | undefined
}

/**
 * Tries a request until it is delivered, refused for good, too old, or the shutdown's deadline comes. Waits the larger
 * of the backoff and what the destination asked for. A shutdown ends a wait: the next attempt comes at once, or as soon
 * as the destination allows, and further ones follow at short intervals.
 */
export class Retry {
  readonly #options: RetryOptions

  constructor(options: RetryOptions) {
    this.#options = options
  }

  /** Never rejects. `signal` is the sender's, when it waits for the result: it ends a wait, not an attempt. */
  async run(payload: Payload, context: ConsumeContext, signal?: AbortSignal): Promise<Outcome> {
    const { giveUp, retryWhileDraining } = this.#options
    const outcome = await this.#try(payload, context, signal)
    if (giveUp === undefined || outcome.ok) return outcome
    return outcome.reason === 'shutdown' && !retryWhileDraining ? outcome : lastWord(giveUp, payload, outcome)
  }

  async #try(payload: Payload, context: ConsumeContext, signal: AbortSignal | undefined): Promise<Outcome> {
    const { attempts, clock, config, drain } = this.#options
    let series: Series | undefined
    const begun = config === undefined ? 0 : clock.monotonic()
    for (;;) {
      let error: unknown
      try {
        await attempts.run(payload, context)
        return DELIVERED
      } catch (caught) {
        error = caught
      }
      if (error instanceof PartialError) return partly(error)
      if (error instanceof PermanentError) return failed('permanent_error', 'not retryable error', error)
      if (error instanceof ShutdownError || drain.over) return failed('shutdown', 'interrupted due to shutdown', error)
      if (config === undefined) return failed('retry_disabled', '', error)
      series ??= new Series(config, begun)
      const end = await this.#pause(series, error, signal)
      if (end !== undefined) return end
    }
  }

  /** Waits for the next attempt; tells the outcome when there shall be none. */
  async #pause(series: Series, error: unknown, signal: AbortSignal | undefined): Promise<Outcome | undefined> {
    const { clock, drain, logger, retryWhileDraining } = this.#options
    const now = clock.monotonic()
    const asked = (error instanceof RetryableError ? error.after : undefined) ?? 0
    const draining = drain.deadline !== undefined
    if (draining && !retryWhileDraining) return failed('shutdown', 'interrupted due to shutdown', error)
    const delay = Math.max(series.next(draining), asked)
    if (now + delay > series.limit) return failed('retries_exhausted', 'no more retries left', error)
    if (draining && now + delay > drain.deadline) return failed('shutdown', 'interrupted due to shutdown', error)
    logger.info('Exporting failed. Will retry the request after interval.', { error, interval: durationText(delay) })
    const woken = await wait(clock, delay, drain, signal)
    if (woken === 'cancelled') return failed('cancelled', 'request is cancelled or timed out', error)
    if (woken !== 'drain') return undefined
    if (!retryWhileDraining) return failed('shutdown', 'interrupted due to shutdown', error)
    const rest = now + asked - clock.monotonic()
    if (rest > 0 && now + asked < drain.deadline!) await wait(clock, rest, drain, signal)
    return undefined
  }
}

async function lastWord(giveUp: GiveUp, payload: Payload, failure: Failed): Promise<Outcome> {
  try {
    const partial = await giveUp(payload, failure)
    return partial === undefined ? failure : partly(partial)
  } catch {
    return failure
  }
}

/** The waits of one request: the configured ones, and from the shutdown on short ones. */
class Series {
  /** Monotonic milliseconds after which no attempt is made. */
  readonly limit: number
  readonly #usual: Backoff
  #draining: Backoff | undefined

  constructor(config: RetryConfig, begun: number) {
    this.limit = config.max_elapsed_time > 0 ? begun + config.max_elapsed_time : Number.POSITIVE_INFINITY
    this.#usual = new Backoff(config)
  }

  next(draining: boolean): number {
    if (!draining) return this.#usual.next()
    this.#draining ??= new Backoff(DRAIN_BACKOFF)
    return this.#draining.next()
  }
}

/** The longest wait a timer can do, 24 days. */
const LONGEST = 2 ** 31 - 1

/**
 * Waits `ms`, unless draining begins or the sender goes away first. Keeps the process alive: a request is waiting.
 */
function wait(clock: Clock, ms: number, drain: Drain, signal?: AbortSignal): Promise<'over' | 'drain' | 'cancelled'> {
  return new Promise(resolve => {
    const done = new AbortController()
    const finish = (why: 'over' | 'drain' | 'cancelled') => {
      done.abort()
      forget()
      signal?.removeEventListener('abort', cancel)
      resolve(why)
    }
    const cancel = () => finish('cancelled')
    clock.sleep(Math.min(ms, LONGEST), done.signal).then(
      () => finish('over'),
      () => {},
    )
    const forget = drain.onBegin(() => finish('drain'))
    signal?.addEventListener('abort', cancel, { once: true })
    if (signal?.aborted) cancel()
  })
}
