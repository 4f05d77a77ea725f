import { type AuthData, type Clock, Code, type ConsumeContext, type Metadata, RetryableError } from '#core/component'
import type { Payload } from '#core/data'
import type { Drain } from './drain.ts'
import { durationText } from './duration-text.ts'

/** What travels with one attempt to send. */
export interface SendContext {
  /** Aborted when the attempt has taken longer than `timeout`, and when a shutdown can wait no longer. */
  readonly signal: AbortSignal
  /** Request metadata; a merged batch has only that of its partition. */
  readonly metadata: Metadata
  /** Who sent the request, where no batch was merged and no restart lies between. */
  readonly auth: AuthData | undefined
  /** Address of the peer that sent the request, where no batch was merged. */
  readonly clientAddress: string | undefined
  /** W3C trace context to send along. */
  readonly traceparent: string | undefined
}

/**
 * Hands a payload to its destination once. Resolves when the destination has it; rejects with a Refusal (permanent,
 * retryable with the wait asked for, partial); anything else counts as retryable.
 */
export type Send = (payload: Payload, context: SendContext) => Promise<void>

/** The shutdown's deadline ended an attempt. */
export class ShutdownError extends RetryableError {
  override name = 'ShutdownError'
}

/** Runs attempts, each for at most `timeout` milliseconds (0: no limit) and never beyond the end of `drain`. */
export class Attempts {
  readonly #send: Send
  readonly #timeout: number
  readonly #clock: Clock
  readonly #drain: Drain

  constructor(send: Send, timeout: number, clock: Clock, drain: Drain) {
    this.#send = send
    this.#timeout = timeout
    this.#clock = clock
    this.#drain = drain
  }

  /** Settles with the sender, or rejects at the limit, even when the sender takes no notice of its signal. */
  run(payload: Payload, context: ConsumeContext): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#drain.over) return reject(tooLate())
      const attempt = new Attempt(context)
      const abort = (reason: Error) => {
        settled()
        attempt.abort(reason)
        reject(reason)
      }
      const timer =
        this.#timeout > 0 ? this.#clock.after(this.#timeout, () => abort(timedOut(this.#timeout))) : undefined
      const forget = this.#drain.onOver(() => abort(tooLate()))
      const settled = () => {
        timer?.cancel()
        forget()
      }
      start(this.#send, payload, attempt).then(
        () => {
          settled()
          resolve()
        },
        error => {
          settled()
          reject(error)
        },
      )
    })
  }
}

/** A sender that throws instead of rejecting is the same to its caller. */
function start(send: Send, payload: Payload, context: SendContext): Promise<void> {
  try {
    return send(payload, context)
  } catch (error) {
    return Promise.reject(error)
  }
}

function timedOut(timeout: number): RetryableError {
  return new RetryableError(`Sending did not finish within ${durationText(timeout)}`, { code: Code.DEADLINE_EXCEEDED })
}

function tooLate(): ShutdownError {
  return new ShutdownError('The deadline of the shutdown has passed', { code: Code.CANCELLED })
}

/** The signal is made when someone asks for it: many senders never do. */
class Attempt implements SendContext {
  readonly #context: ConsumeContext
  #controller: AbortController | undefined
  #reason: Error | undefined

  constructor(context: ConsumeContext) {
    this.#context = context
  }

  get metadata(): Metadata {
    return this.#context.metadata
  }

  get auth(): AuthData | undefined {
    return this.#context.auth
  }

  get clientAddress(): string | undefined {
    return this.#context.clientAddress
  }

  get traceparent(): string | undefined {
    return this.#context.traceparent
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#reason !== undefined) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  abort(reason: Error): void {
    this.#reason = reason
    this.#controller?.abort(reason)
  }
}
