import { type Change, type Entry, keyBytes, rangeBytes, type ScanRange, type Store, StoreClosed } from './store.ts'

interface Slot {
  readonly key: Buffer
  readonly value: Buffer
}

/** A store that lives as long as the process: for tests and for what may be lost. */
export class MemoryStore implements Store {
  readonly #slots = new Map<string, Slot>()
  /** Keys in order; `undefined` after a change. */
  #sorted: Slot[] | undefined
  #closed = false

  async get(key: string): Promise<Buffer | undefined> {
    this.#check()
    keyBytes(key)
    const slot = this.#slots.get(key)
    return slot === undefined ? undefined : Buffer.from(slot.value)
  }

  async set(key: string, value: Uint8Array): Promise<void> {
    await this.batch([{ type: 'set', key, value }])
  }

  async delete(key: string): Promise<void> {
    await this.batch([{ type: 'delete', key }])
  }

  async batch(changes: readonly Change[]): Promise<void> {
    this.#check()
    const keys = changes.map(change => keyBytes(change.key))
    changes.forEach((change, i) => {
      if (change.type === 'delete') this.#slots.delete(change.key)
      else this.#slots.set(change.key, { key: keys[i]!, value: Buffer.from(change.value) })
    })
    this.#sorted = undefined
  }

  async *scan(range: ScanRange = {}): AsyncIterable<Entry> {
    this.#check()
    for (const { key, value } of this.#select(range)) yield [key.toString(), Buffer.from(value)]
  }

  async *keys(range: ScanRange = {}): AsyncIterable<string> {
    this.#check()
    for (const { key } of this.#select(range)) yield key.toString()
  }

  async flushed(): Promise<void> {
    this.#check()
  }

  async close(): Promise<void> {
    this.#closed = true
  }

  /** Opens it again with what it holds, as a restart would. */
  reopen(): void {
    this.#closed = false
  }

  #select(range: ScanRange): readonly Slot[] {
    const { start, end } = rangeBytes(range)
    this.#sorted ??= [...this.#slots.values()].sort((a, b) => Buffer.compare(a.key, b.key))
    const found = this.#sorted.filter(
      ({ key }) =>
        (start === undefined || Buffer.compare(key, start) >= 0) && (end === undefined || Buffer.compare(key, end) < 0),
    )
    if (range.reverse) found.reverse()
    return found.slice(0, range.limit)
  }

  #check(): void {
    if (this.#closed) throw new StoreClosed()
  }
}
