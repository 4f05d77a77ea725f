import type { ConsumeContext } from '#core/component'
import type { Payload } from '#core/data'
import { Deque } from './deque.ts'
import { type Answer, Held, type Queue } from './queue.ts'
import type { Room } from './room.ts'
import type { Sizer } from './sizer.ts'

/** A queue that lives as long as the process. */
export class MemoryQueue implements Queue {
  readonly durable = false
  readonly #room: Room
  readonly #sizer: Sizer
  readonly #onOffer: () => void
  readonly #waiting = new Deque<Held>()

  /** `onOffer` is called after a request has come in. */
  constructor(room: Room, sizer: Sizer, onOffer: () => void) {
    this.#room = room
    this.#sizer = sizer
    this.#onOffer = onOffer
  }

  get size(): number {
    return this.#room.size
  }

  get capacity(): number {
    return this.#room.capacity
  }

  get waiting(): number {
    return this.#waiting.length
  }

  offer(payload: Payload, context: ConsumeContext, signal?: AbortSignal, answer?: Answer): Promise<void> | undefined {
    const held = new Held(payload, context, this.#sizer(payload), answer)
    const entering = this.#room.enter(held.size, signal)
    if (entering !== undefined) return entering.then(() => this.#push(held))
    this.#push(held)
    return undefined
  }

  take(): Held | undefined {
    return this.#waiting.shift()
  }

  settle(held: Held): void {
    this.#room.leave(held.size)
    held.answer?.(held)
  }

  stop(): void {
    this.#room.close()
  }

  async close(): Promise<void> {}

  #push(held: Held): void {
    this.#waiting.push(held)
    this.#onOffer()
  }
}
