import type { EntryKind } from '../analysis/vocabulary.ts'
import { type Entry, entryKey } from './entry.ts'

/**
 * Entries spread over several maps, so that what goes through all of them (ageing, storing) can go shard by shard and let
 * the event loop breathe in between.
 */
export class Shards {
  readonly #shards: readonly Map<string, Entry>[]
  #size = 0

  constructor(count: number) {
    this.#shards = Array.from({ length: count }, () => new Map<string, Entry>())
  }

  get size(): number {
    return this.#size
  }

  get count(): number {
    return this.#shards.length
  }

  get(kind: EntryKind, name: string): Entry | undefined {
    return this.#shardOf(name).get(entryKey(kind, name))
  }

  add(entry: Entry): void {
    this.#shardOf(entry.name).set(entryKey(entry.kind, entry.name), entry)
    this.#size++
  }

  delete(entry: Entry): void {
    if (this.#shardOf(entry.name).delete(entryKey(entry.kind, entry.name))) this.#size--
  }

  shard(index: number): Iterable<Entry> {
    return this.#shards[index]!.values()
  }

  *all(): IterableIterator<Entry> {
    for (const shard of this.#shards) yield* shard.values()
  }

  #shardOf(name: string): Map<string, Entry> {
    let hash = name.length
    for (let i = name.length - 1; i >= 0 && i >= name.length - 16; i--)
      hash = Math.imul(hash ^ name.charCodeAt(i), 0x9e3779b1)
    return this.#shards[(hash >>> 8) % this.#shards.length]!
  }
}
