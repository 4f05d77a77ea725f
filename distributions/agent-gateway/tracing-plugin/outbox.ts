import type { Outcome } from './collector.ts'

/** How much waits at most, and how long a request may take. Sizes in bytes, times in milliseconds. */
export const OUTBOX = {
  spans: 2048,
  bytes: 4 * 1024 * 1024,
  batch: 512,
  batchBytes: 1024 * 1024,
  timeout: 10_000,
  firstPause: 1000,
  longestPause: 60_000,
} as const

/** What an outbox needs of the world. */
export interface OutboxIo {
  /** Sends one batch of encoded spans. It never throws. */
  readonly send: (spans: readonly Uint8Array[], signal: AbortSignal) => Promise<Outcome>
  /** Calls `task` after `milliseconds`, without keeping the process alive; the result calls it off. */
  readonly later: (task: () => void, milliseconds: number) => () => void
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly sent: (spans: number) => void
  readonly dropped: (spans: number, reason: 'full' | 'refused' | 'stopped') => void
  /** Told after each attempt, with the reason if it failed. */
  readonly attempted: (reason: string | undefined) => void
}

/** Spans on their way out: as many as fit in bounded memory, sent in batches, one at a time. */
export class Outbox {
  readonly #io: OutboxIo
  readonly #delay: number
  #waiting: Uint8Array[] = []
  #bytes = 0
  #cancel: (() => void) | undefined
  #sending: Promise<void> | undefined
  #inFlight = new AbortController()
  #notBefore = 0
  #pause = 0

  /** A span waits `delay` milliseconds at most for others to be sent with it. */
  constructor(io: OutboxIo, delay: number) {
    this.#io = io
    this.#delay = delay
  }

  /** How many spans wait. */
  get size(): number {
    return this.#waiting.length
  }

  /** Whether another span would be dropped, so that it need not be encoded. */
  get isFull(): boolean {
    return this.#waiting.length >= OUTBOX.spans || this.#bytes >= OUTBOX.bytes
  }

  /** Counts a span for which there is no room. */
  drop(): void {
    this.#io.dropped(1, 'full')
  }

  /** Takes an encoded span, or drops it where there is no room. */
  add(span: Uint8Array): void {
    if (this.isFull) {
      this.drop()
      return
    }
    this.#waiting.push(span)
    this.#bytes += span.length
    if (this.#waiting.length >= OUTBOX.batch) this.#schedule(0)
    else this.#schedule(this.#delay)
  }

  /** Sends everything, for `milliseconds` at most. What is left then is dropped. */
  async flush(milliseconds: number): Promise<void> {
    const deadline = AbortSignal.timeout(milliseconds)
    const inFlight = this.#inFlight
    deadline.addEventListener('abort', () => inFlight.abort(), { once: true })
    while (this.#sending !== undefined) await this.#sending
    this.#cancel?.()
    this.#cancel = undefined
    await this.#start(this.#empty(deadline))
  }

  async #empty(deadline: AbortSignal): Promise<void> {
    while (this.#waiting.length > 0 && !deadline.aborted) {
      if ((await this.#sendOne(deadline)) !== 'accepted') break
    }
    if (this.#waiting.length > 0) this.#io.dropped(this.#waiting.length, 'stopped')
    this.#waiting = []
    this.#bytes = 0
  }

  #schedule(delay: number): void {
    if (this.#sending !== undefined) return
    if (this.#cancel !== undefined && delay > 0) return
    this.#cancel?.()
    const wait = Math.max(delay, this.#notBefore - this.#io.now())
    this.#cancel = this.#io.later(() => {
      this.#cancel = undefined
      void this.#start(this.#drain())
    }, wait)
  }

  /** Only one sends at a time. */
  #start(sending: Promise<void>): Promise<void> {
    this.#sending = sending
      .catch(() => {})
      .then(() => {
        this.#sending = undefined
        if (this.#waiting.length > 0) this.#schedule(this.#delay)
      })
    return this.#sending
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      this.#inFlight = new AbortController()
      const signal = AbortSignal.any([this.#inFlight.signal, AbortSignal.timeout(OUTBOX.timeout)])
      if ((await this.#sendOne(signal)) === 'later') return
    }
  }

  async #sendOne(signal: AbortSignal): Promise<Outcome['status']> {
    const batch = this.#nextBatch()
    const outcome = await this.#io.send(batch, signal)
    this.#io.attempted(outcome.status === 'accepted' ? undefined : outcome.reason)
    if (outcome.status === 'later') {
      this.#pause = Math.min(Math.max(this.#pause * 2, OUTBOX.firstPause), OUTBOX.longestPause)
      this.#notBefore = this.#io.now() + Math.max(this.#pause, outcome.after ?? 0)
      return 'later'
    }
    this.#pause = 0
    this.#remove(batch)
    if (outcome.status === 'accepted') this.#io.sent(batch.length)
    else this.#io.dropped(batch.length, 'refused')
    return outcome.status
  }

  #nextBatch(): Uint8Array[] {
    let size = 0
    let count = 0
    for (const span of this.#waiting) {
      if (count > 0 && (count >= OUTBOX.batch || size + span.length > OUTBOX.batchBytes)) break
      size += span.length
      count++
    }
    return this.#waiting.slice(0, count)
  }

  #remove(batch: readonly Uint8Array[]): void {
    this.#waiting.splice(0, batch.length)
    for (const span of batch) this.#bytes -= span.length
  }
}
