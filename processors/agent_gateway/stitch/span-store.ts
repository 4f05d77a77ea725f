import type { Logger } from '#core/component'
import { admit, merge, type Payload } from '#core/data'
import type { Store } from '#core/storage'
import type { HeldRequest } from './held-request.ts'

const PREFIX = 'spans/'

/**
 * Requests that wait, in storage: under `spans/<sequence, 16 digits>` their OTLP bytes. Who sent them is not kept. An entry
 * holds what has not been handed on, so that after a crash no more is sent twice than was on its way.
 */
export class SpanStore {
  readonly #store: Store
  readonly #logger: Logger
  #sequence = 0
  /** Changes are written one after the other, so that an entry cannot overtake its removal. */
  #last: Promise<unknown> = Promise.resolve()

  private constructor(store: Store, logger: Logger) {
    this.#store = store
    this.#logger = logger
  }

  /** Opens the storage; `found` are the requests that wait there, by their keys, and entries that were damaged are gone. */
  static async open(
    store: Store,
    logger: Logger,
  ): Promise<{ readonly store: SpanStore; readonly found: ReadonlyMap<string, Payload<'traces'>> }> {
    const found = new Map<string, Payload<'traces'>>()
    const spans = new SpanStore(store, logger)
    for await (const [key, value] of store.scan({ prefix: PREFIX })) {
      spans.#sequence = Number(key.slice(PREFIX.length)) + 1
      try {
        found.set(key, admit('traces', value).payload)
      } catch (error) {
        logger.error('Stored spans are damaged. Removing them.', { error, key })
        await store.delete(key)
      }
    }
    return { store: spans, found }
  }

  /** Resolves to its key once the request is safe. */
  async put(payload: Payload<'traces'>): Promise<string> {
    const key = PREFIX + String(this.#sequence++).padStart(16, '0')
    await this.#inOrder(() => this.#store.set(key, payload.flat()))
    await this.#store.flushed()
    return key
  }

  /** Part of the request, or all, has been handed on. */
  settled(request: HeldRequest): void {
    const key = request.stored!
    const rest = [...request.underWay, ...(request.waiting === undefined ? [] : [request.waiting])]
    const write = rest.length === 0 ? () => this.#store.delete(key) : () => this.#store.set(key, merge(rest).flat())
    this.#inOrder(write).catch(error => this.#logger.error('Could not remove spans from storage', { error, key }))
  }

  async close(): Promise<void> {
    await this.#last.catch(() => {})
    await this.#store.close()
  }

  #inOrder(write: () => Promise<void>): Promise<void> {
    const done = this.#last.then(write, write)
    this.#last = done
    return done
  }
}
