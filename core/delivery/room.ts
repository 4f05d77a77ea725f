import { Code, PermanentError, RetryableError } from '#core/component'
import { Deque } from './deque.ts'

interface Waiter {
  readonly size: number
  gone: boolean
  admit(): void
  refuse(error: Error): void
}

/**
 * How much a queue may hold, and who gets in: what a queue took in and has not yet settled counts against its capacity.
 * Who waits for room is admitted in order, and nobody overtakes.
 */
export class Room {
  readonly capacity: number
  readonly #block: boolean
  readonly #waiters = new Deque<Waiter>()
  #size = 0
  #closed = false

  /** `block`: wait for room instead of refusing. */
  constructor(capacity: number, block: boolean) {
    this.capacity = capacity
    this.#block = block
  }

  get size(): number {
    return this.#size
  }

  /**
   * Takes `size` units. Returns nothing when there is room; else, where waiting is allowed, a promise that resolves
   * once they are taken and rejects when `signal` is aborted or the queue is closed.
   * @throws {RetryableError} `sending queue is full`
   * @throws {PermanentError} `element size too large`: it will never fit
   */
  enter(size: number, signal?: AbortSignal): Promise<void> | undefined {
    if (this.#closed) throw stopped()
    if (size > this.capacity) {
      throw new PermanentError(`element size too large: ${size}, the queue holds ${this.capacity}`)
    }
    if (this.#waiters.length === 0 && this.#size + size <= this.capacity) {
      this.#size += size
      return undefined
    }
    if (!this.#block) throw new RetryableError('sending queue is full')
    return this.#wait(size, signal)
  }

  /** Takes `size` units whether there is room or not: for what was accepted before a restart. */
  enterAnyway(size: number): void {
    this.#size += size
  }

  /** Gives `size` units back. */
  leave(size: number): void {
    this.#size -= size
    this.#admit()
  }

  /** Refuses those who wait and everyone to come. */
  close(): void {
    this.#closed = true
    for (let waiter = this.#waiters.shift(); waiter !== undefined; waiter = this.#waiters.shift()) {
      waiter.refuse(stopped())
    }
  }

  #wait(size: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        waiter.gone = true
        reject(new RetryableError('Stopped waiting for room in the sending queue: the sender has gone', CANCELLED))
        this.#admit()
      }
      const waiter: Waiter = {
        size,
        gone: false,
        admit() {
          signal?.removeEventListener('abort', abort)
          resolve()
        },
        refuse(error) {
          signal?.removeEventListener('abort', abort)
          reject(error)
        },
      }
      if (signal?.aborted) return abort()
      signal?.addEventListener('abort', abort, { once: true })
      this.#waiters.push(waiter)
    })
  }

  #admit(): void {
    for (let waiter = this.#waiters.peek(); waiter !== undefined; waiter = this.#waiters.peek()) {
      if (!waiter.gone) {
        if (this.#size + waiter.size > this.capacity) return
        this.#size += waiter.size
        waiter.admit()
      }
      this.#waiters.shift()
    }
  }
}

const CANCELLED = { code: Code.CANCELLED } as const

function stopped(): RetryableError {
  return new RetryableError('sending queue is stopped')
}
