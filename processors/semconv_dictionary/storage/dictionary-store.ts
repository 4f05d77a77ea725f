import type { Change, Store } from '#core/storage'
import type { Dictionary } from '../dictionary/dictionary.ts'
import { type Entry, entryKey } from '../dictionary/entry.ts'
import { decodeEntry, encodeEntry } from '../dictionary/entry-codec.ts'

/** What keys begin with: facts of entries, their sketches, and everything else. */
const ENTRY = 'e/'
const SKETCH = 's/'
/** Changes of a batch: few enough to be encoded without blocking anything. */
const BATCH = 500

/**
 * A dictionary in storage: two keys an entry, one for its facts and one for its sketch, since facts change with every
 * payload and sketches seldom do.
 */
export class DictionaryStore {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /**
   * Puts all that is stored into `dictionary`. Entries that cannot be read are deleted.
   * @returns how many could not be read
   */
  async load(dictionary: Dictionary): Promise<number> {
    const sketches = new Map<string, Buffer>()
    for await (const [key, value] of this.#store.scan({ prefix: SKETCH })) sketches.set(key.slice(SKETCH.length), value)
    const damaged: string[] = []
    const entries: Entry[] = []
    for await (const [key, value] of this.#store.scan({ prefix: ENTRY })) {
      const name = key.slice(ENTRY.length)
      const entry = read(value, sketches.get(name))
      if (entry !== undefined && entryKey(entry.kind, entry.name) === name) entries.push(entry)
      else damaged.push(name)
    }
    await this.#write(damaged.flatMap(removalOf))
    // Only now, so that a store that cannot be read to its end leaves nothing behind.
    for (const entry of entries) dictionary.restore(entry)
    return damaged.length
  }

  /**
   * Stores what has changed.
   * @param all also entries of which only counts and times changed
   * @returns entries written and removed
   * @throws {Error} when storing fails; everything then still counts as changed
   */
  async save(dictionary: Dictionary, all: boolean): Promise<number> {
    const changed = [
      ...dictionary.changed,
      ...(all ? [...dictionary.used].filter(each => !dictionary.changed.has(each)) : []),
    ]
    const gone = [...dictionary.gone]
    dictionary.changed = new Set()
    if (all) dictionary.used = new Set()
    dictionary.gone = new Set()
    let done = 0
    try {
      for (; done < changed.length; done += BATCH) {
        await this.#write(changed.slice(done, done + BATCH).flatMap(entry => (entry.removed ? [] : changesOf(entry))))
      }
      // An entry of the same name may have come back meanwhile, and was then written above or will be next time.
      const absent = gone.filter(key => !dictionary.has(key))
      for (let at = 0; at < absent.length; at += BATCH) {
        await this.#write(absent.slice(at, at + BATCH).flatMap(removalOf))
      }
      await this.#store.flushed()
    } catch (error) {
      for (const entry of changed) if (!entry.removed) dictionary.changed.add(entry)
      for (const entry of changed) entry.sketchChanged = true
      for (const key of gone) dictionary.gone.add(key)
      throw error
    }
    return changed.length + gone.length
  }

  /** Something else under a name of its own. */
  async get(name: string): Promise<Buffer | undefined> {
    return this.#store.get(`m/${name}`)
  }
  async set(name: string, value: Uint8Array): Promise<void> {
    await this.#store.set(`m/${name}`, value)
    await this.#store.flushed()
  }
  async delete(name: string): Promise<void> {
    await this.#store.delete(`m/${name}`)
  }
  /** What was set under names with this beginning, in their order. */
  async *list(prefix: string): AsyncIterable<readonly [string, Buffer]> {
    for await (const [key, value] of this.#store.scan({ prefix: `m/${prefix}` })) yield [key.slice(2), value]
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  async #write(changes: readonly Change[]): Promise<void> {
    if (changes.length > 0) await this.#store.batch(changes)
  }
}

function changesOf(entry: Entry): Change[] {
  const key = entryKey(entry.kind, entry.name)
  entry.stored = true
  const facts: Change = { type: 'set', key: ENTRY + key, value: encodeEntry(entry) }
  if (!entry.sketchChanged) return [facts]
  entry.sketchChanged = false
  return [facts, { type: 'set', key: SKETCH + key, value: entry.sketch.encode() }]
}

function removalOf(key: string): Change[] {
  return [
    { type: 'delete', key: ENTRY + key },
    { type: 'delete', key: SKETCH + key },
  ]
}

function read(value: Buffer, sketch: Buffer | undefined): Entry | undefined {
  try {
    return decodeEntry(value, sketch)
  } catch {
    return undefined
  }
}
