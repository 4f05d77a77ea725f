import { type Clock, type Consumer, isRetryable, RetryableError } from '#core/component'
import type { Payload } from '#core/data'

/** Brings requests of own telemetry somewhere. */
export interface OwnExporter {
  /** @throws when the destination did not take it, or `signal` was aborted */
  export(payload: Payload, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

const FIRST_WAIT = 1000
const LONGEST_WAIT = 5000
/** Milliseconds that a destination which does not answer may hold up a shutdown. */
const LAST_WORDS = 5000

/**
 * An exporter as the taker of a feed. A request that fails in a way that may pass is repeated until its time is up;
 * once closing has begun, each is tried once more, for five seconds at most.
 */
export class ExportConsumer implements Consumer {
  readonly #open: () => Promise<OwnExporter>
  readonly #timeout: number
  readonly #clock: Clock
  readonly #closing = new AbortController()
  #opened: Promise<OwnExporter> | undefined

  /** `timeout`: milliseconds for one request with all its attempts; 0: no limit. */
  constructor(open: () => Promise<OwnExporter>, timeout: number, clock: Clock) {
    this.#open = open
    this.#timeout = timeout
    this.#clock = clock
  }

  /** @throws when the exporter cannot be made, for instance because a certificate cannot be read */
  async start(): Promise<void> {
    await this.#exporter()
  }

  async consume(payload: Payload): Promise<void> {
    const exporter = await this.#exporter()
    const clock = this.#clock
    const over = new AbortController()
    const end = (ms: number) => clock.after(ms, () => over.abort(new Error('the export timed out')))
    const timers = this.#timeout > 0 ? [end(this.#timeout)] : []
    const onClosing = () => timers.push(end(LAST_WORDS))
    if (this.#closing.signal.aborted) onClosing()
    else this.#closing.signal.addEventListener('abort', onClosing, { once: true })
    try {
      for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
        try {
          return await exporter.export(payload, over.signal)
        } catch (error) {
          if (!isRetryable(error) || over.signal.aborted || this.#closing.signal.aborted) throw error
          const asked = error instanceof RetryableError ? error.after : undefined
          await this.#pause(asked ?? wait, over.signal, error)
        }
      }
    } finally {
      this.#closing.signal.removeEventListener('abort', onClosing)
      for (const timer of timers) timer.cancel()
    }
  }

  /** From now on nothing is waited for between attempts. */
  hurry(): void {
    this.#closing.abort()
  }

  async close(): Promise<void> {
    this.hurry()
    const exporter = await this.#opened?.catch(() => undefined)
    await exporter?.close()
  }

  #exporter(): Promise<OwnExporter> {
    this.#opened ??= this.#open()
    return this.#opened
  }

  /** When the time is up meanwhile, what went wrong before is what is told. */
  async #pause(ms: number, over: AbortSignal, error: unknown): Promise<void> {
    try {
      await this.#clock.sleep(ms, AbortSignal.any([over, this.#closing.signal]))
    } catch {
      if (over.aborted) throw error
    }
  }
}
