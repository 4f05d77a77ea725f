import { type ConsumeContext, type Logger, RetryableError } from '#core/component'
import type { Payload, Signal } from '#core/data'
import type { Change, Store } from '#core/storage'
import { Deque } from './deque.ts'
import { type GroupCommit, groupCommit } from './group-commit.ts'
import { Held, type Queue } from './queue.ts'
import type { Room } from './room.ts'
import type { Sizer } from './sizer.ts'
import {
  DamagedEntry,
  decodeEntry,
  encodeEntry,
  parseStoredKey,
  QUEUE_PREFIX,
  type StoredKey,
  storedKey,
} from './stored-entry.ts'

export interface PersistentQueueOptions {
  readonly store: Store
  readonly signal: Signal
  readonly room: Room
  readonly sizer: Sizer
  readonly logger: Logger
  /** Called after a request has come in. */
  readonly onOffer: () => void
  /** Called with the items of a request that could not be read back. */
  readonly onDamaged: (items: number) => void
}

/** Bytes of requests that are kept in memory beside storage, so that a short queue is never read back. */
const MEMORY = 32 * 1024 * 1024
/** Damaged requests kept for inspection; further ones are only logged. */
const MOST_ASIDE = 100
/** What keys of damaged requests begin with; under `<key>/reason` stands why. */
const ASIDE = 'damaged/'

/** A request that waits: in storage, and while there is room for it in memory too. */
interface Slot extends StoredKey {
  readonly key: string
  readonly payload?: Payload
  readonly context?: ConsumeContext
}

class StoredRequest extends Held {
  readonly key: string
  constructor(payload: Payload, context: ConsumeContext, size: number, key: string) {
    super(payload, context, size)
    this.key = key
  }
}

/**
 * A queue that outlives the process. An offer settles once its request is flushed to storage, all requests that come
 * meanwhile in one go. A request leaves storage when it is settled; so what was taken and not settled when the process
 * ended is there again at the next start, in its old place.
 */
export class PersistentQueue implements Queue {
  readonly durable = true
  readonly #options: PersistentQueueOptions
  readonly #commit: GroupCommit
  readonly #waiting = new Deque<Slot>()
  #sequence = 0
  #inMemory = 0
  #aside = 0

  private constructor(options: PersistentQueueOptions) {
    this.#options = options
    this.#commit = groupCommit(options.store, options.logger)
  }

  /** Finds what an earlier process left. */
  static async open(options: PersistentQueueOptions): Promise<PersistentQueue> {
    const queue = new PersistentQueue(options)
    await queue.#load()
    return queue
  }

  get size(): number {
    return this.#options.room.size
  }

  get capacity(): number {
    return this.#options.room.capacity
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Items of all requests that wait. */
  get items(): number {
    let items = 0
    for (const slot of this.#waiting) items += slot.items
    return items
  }

  offer(payload: Payload, context: ConsumeContext, signal?: AbortSignal): Promise<void> {
    const size = this.#options.sizer(payload)
    const entering = this.#options.room.enter(size, signal)
    return entering === undefined
      ? this.#store(payload, context, size)
      : entering.then(() => this.#store(payload, context, size))
  }

  take(): Held | undefined | Promise<Held | undefined> {
    const slot = this.#waiting.shift()
    if (slot === undefined) return undefined
    if (slot.payload === undefined) return this.#read(slot)
    this.#inMemory -= slot.bytes
    return new StoredRequest(slot.payload, slot.context!, this.#sizeOf(slot), slot.key)
  }

  settle(held: Held): void {
    this.#commit.add({ type: 'delete', key: (held as StoredRequest).key })
    this.#options.room.leave(held.size)
  }

  stop(): void {
    this.#options.room.close()
  }

  async close(): Promise<void> {
    await this.#commit.done()
    await this.#options.store.close()
  }

  async #store(payload: Payload, context: ConsumeContext, size: number): Promise<void> {
    const key = storedKey(this.#sequence, payload)
    const slot = { key, sequence: this.#sequence, items: payload.items, bytes: payload.bytes }
    this.#sequence++
    try {
      await this.#commit.durably({ type: 'set', key, value: encodeEntry(payload, context) })
    } catch (cause) {
      this.#options.room.leave(size)
      throw new RetryableError(`Could not store the request: ${cause instanceof Error ? cause.message : cause}`, {
        cause,
      })
    }
    if (this.#inMemory + payload.bytes <= MEMORY) {
      this.#inMemory += payload.bytes
      this.#waiting.push({ ...slot, payload, context })
    } else {
      this.#waiting.push(slot)
    }
    this.#options.onOffer()
  }

  /** The request of `slot`, or of the next one that is not damaged. */
  async #read(slot: Slot): Promise<Held | undefined> {
    try {
      const value = await this.#options.store.get(slot.key)
      if (value === undefined) throw new DamagedEntry('it is not there any more')
      const { payload, context } = decodeEntry(this.#options.signal, slot, value)
      return new StoredRequest(payload, context, this.#sizeOf(slot), slot.key)
    } catch (error) {
      await this.#setAside(slot.key, slot.items, error)
      this.#options.room.leave(this.#sizeOf(slot))
      this.#options.onDamaged(slot.items)
      return this.take()
    }
  }

  #sizeOf({ items, bytes }: StoredKey): number {
    return this.#options.sizer({ items, bytes })
  }

  async #load(): Promise<void> {
    const { store, room } = this.#options
    for await (const key of store.keys({ prefix: QUEUE_PREFIX })) {
      const parsed = parseStoredKey(key)
      if (parsed === undefined) {
        await this.#setAside(key, 0, new DamagedEntry('its key has another form'))
        continue
      }
      this.#waiting.push({ key, ...parsed })
      this.#sequence = parsed.sequence + 1
      room.enterAnyway(this.#sizeOf(parsed))
    }
  }

  /** Moves an entry out of the queue's way, with the reason; when that fails too, it is left where it is. */
  async #setAside(key: string, items: number, error: unknown): Promise<void> {
    const { store, logger } = this.#options
    logger.error('Stored request is damaged. Setting it aside.', { error, key, dropped_items: items })
    const changes: Change[] = [{ type: 'delete', key }]
    try {
      if (this.#aside++ < MOST_ASIDE) {
        const value = await store.get(key).catch(() => undefined)
        const reason = Buffer.from(error instanceof Error ? error.message : String(error))
        if (value !== undefined) changes.push({ type: 'set', key: ASIDE + key, value })
        changes.push({ type: 'set', key: `${ASIDE}${key}/reason`, value: reason })
      }
      await store.batch(changes)
    } catch (failure) {
      logger.error('Could not set a damaged request aside', { error: failure, key })
    }
  }
}
