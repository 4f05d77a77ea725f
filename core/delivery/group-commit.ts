import type { Logger } from '#core/component'
import type { Change, Store } from '#core/storage'

/** Changes of a store, written together: while one group is being flushed, the next one gathers. */
export interface GroupCommit {
  /** Writes a change; resolves once it is flushed, rejects when its group could not be written. */
  durably(change: Change): Promise<void>
  /** Writes a change some time soon. Should that fail, it is tried again with the next group. */
  add(change: Change): void
  /** Resolves once nothing is left to write. */
  done(): Promise<void>
}

interface Waiting {
  resolve(): void
  reject(error: unknown): void
}

/** Groups the changes of one store. */
export function groupCommit(store: Store, logger: Logger): GroupCommit {
  return new Groups(store, logger)
}

class Groups implements GroupCommit {
  readonly #store: Store
  readonly #logger: Logger
  #durable: Change[] = []
  #waiting: Waiting[] = []
  #others: Change[] = []
  #running: Promise<void> | undefined

  constructor(store: Store, logger: Logger) {
    this.#store = store
    this.#logger = logger
  }

  durably(change: Change): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#durable.push(change)
      this.#waiting.push({ resolve, reject })
      this.#run()
    })
  }

  add(change: Change): void {
    this.#others.push(change)
    this.#run()
  }

  async done(): Promise<void> {
    while (this.#running !== undefined) await this.#running
    if (this.#others.length > 0) await this.#write()
  }

  #run(): void {
    this.#running ??= this.#writeAll()
  }

  async #writeAll(): Promise<void> {
    // What the rest of this turn of the event loop brings belongs to the first group.
    await Promise.resolve()
    let written = true
    while (written && (this.#durable.length > 0 || this.#others.length > 0)) written = await this.#write()
    this.#running = undefined
  }

  /** Tells whether it is worth going on at once. */
  async #write(): Promise<boolean> {
    const durable = this.#durable
    const waiting = this.#waiting
    const others = this.#others
    this.#durable = []
    this.#waiting = []
    this.#others = []
    try {
      await this.#store.batch([...others, ...durable])
      if (durable.length > 0) await this.#store.flushed()
    } catch (error) {
      this.#others.unshift(...others)
      if (others.length > 0) this.#logger.error('Could not remove sent requests from storage', { error })
      for (const each of waiting) each.reject(error)
      return this.#durable.length > 0
    }
    for (const each of waiting) each.resolve()
    return true
  }
}
