import { randomInt } from 'node:crypto'
import type { Clock, ComponentId, Host, Logger, Readiness } from '#core/component'
import { openStore, type Store } from '#core/storage'
import type { Dictionary } from '../dictionary/dictionary.ts'
import { DictionaryStore } from './dictionary-store.ts'

/** Under which name the seed of all hashes is kept: sketches of another seed would count everything again. */
const SEED = 'seed'
/** The store that takes the place of one that cannot be read. */
const REPLACEMENT = 'replacement'
/** How often a store in use is tried, and milliseconds between two tries. */
const ATTEMPTS = 10
const AGAIN = 500
/** One save in so many stores counts and times as well. */
const FULL_SAVE = 10

/**
 * Keeps a dictionary in storage, as far as storage lets it: what fails is logged, told by `state`, and tried again with
 * the next save. The dictionary never waits for it.
 */
export class Keeper {
  readonly #logger: Logger
  readonly #clock: Clock
  #store: DictionaryStore | undefined
  #state: { readonly state: Readiness; readonly detail?: string } = { state: 'STARTING' }
  #saves = 0
  /** Why the store in use is not the one that should be. */
  #setAside: string | undefined

  constructor(logger: Logger, clock: Clock) {
    this.#logger = logger
    this.#clock = clock
  }

  /** How storage is: OK, or DEGRADED and why. */
  get state(): { readonly state: Readiness; readonly detail?: string } {
    return this.#state
  }

  /** Storage for other things of the dictionary's; `undefined` when there is none. */
  get store(): DictionaryStore | undefined {
    return this.#store
  }

  /**
   * Opens the store and fills `dictionary` from it. A store that cannot be opened or read is set aside: it stays as it
   * is, and an empty one is used in its place.
   * @returns the seed of all hashes in the dictionary
   */
  async open(host: Host, storage: string, id: ComponentId, dictionary: Dictionary): Promise<number> {
    for (const name of ['', REPLACEMENT]) {
      try {
        const store = new DictionaryStore(await this.#openFree(host, storage, id, name))
        try {
          const seed = await this.#read(store, dictionary)
          this.#store = store
          this.#settle()
          return seed
        } catch (error) {
          await store.close()
          throw error
        }
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        this.#setAside = name === '' ? `The stored dictionary was set aside: ${why}` : `Nothing is stored: ${why}`
        this.#logger.error(
          name === '' ? 'Stored dictionary cannot be read and is set aside' : 'Dictionary cannot be stored',
          { error },
        )
      }
    }
    this.#settle()
    return newSeed()
  }

  /** Stores what has changed. Returns how many entries were written, `undefined` when that failed. */
  async save(dictionary: Dictionary, everything = false): Promise<number | undefined> {
    if (this.#store === undefined) {
      dictionary.forgetChanges()
      return 0
    }
    const all = everything || ++this.#saves % FULL_SAVE === 0
    if (dictionary.changed.size + dictionary.gone.size === 0 && !(all && dictionary.used.size > 0)) return 0
    try {
      const written = await this.#store.save(dictionary, all)
      if (this.#state.detail?.startsWith(CANNOT) === true) this.#logger.info('Dictionary is stored again')
      this.#settle()
      return written
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      if (this.#state.detail?.startsWith(CANNOT) !== true) this.#logger.error('Dictionary cannot be stored', { error })
      this.#state = { state: 'DEGRADED', detail: `${CANNOT}: ${why}` }
      return undefined
    }
  }

  async close(): Promise<void> {
    await this.#store?.close()
    this.#store = undefined
  }

  /** A store that somebody else has open is none that is damaged: a predecessor may still be closing it. */
  async #openFree(host: Host, storage: string, id: ComponentId, name: string): Promise<Store> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await openStore(host, storage, 'processor', id, name)
      } catch (error) {
        if (attempt === ATTEMPTS || !(error instanceof Error) || !/\b(is|has it) open\b/.test(error.message))
          throw error
        this.#logger.warn('Stored dictionary is in use, it is waited for', { error })
        await this.#clock.sleep(AGAIN)
      }
    }
  }

  async #read(store: DictionaryStore, dictionary: Dictionary): Promise<number> {
    const stored = await store.get(SEED)
    if (stored?.length === 4) {
      if (dictionary.size === 0) {
        const damaged = await store.load(dictionary)
        if (damaged > 0) this.#logger.warn('Stored entries cannot be read and are dropped', { entries: damaged })
      }
      return stored.readInt32LE(0)
    }
    const seed = newSeed()
    const bytes = Buffer.alloc(4)
    bytes.writeInt32LE(seed)
    await store.set(SEED, bytes)
    return seed
  }

  #settle(): void {
    this.#state = this.#setAside === undefined ? { state: 'OK' } : { state: 'DEGRADED', detail: this.#setAside }
  }
}

const CANNOT = 'Cannot store the dictionary'

function newSeed(): number {
  return randomInt(2 ** 32) | 0
}
