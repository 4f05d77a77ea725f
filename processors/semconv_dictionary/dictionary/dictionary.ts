import { setImmediate } from 'node:timers/promises'
import type { Clock } from '#core/component'
import { Column, type Observation, ROW } from '../analysis/observation.ts'
import { ENTRY_KINDS, type EntryKind } from '../analysis/vocabulary.ts'
import { type EvictionReason, makeRoom } from './budget.ts'
import { Entry, entryKey } from './entry.ts'
import { Shards } from './shards.ts'

export interface DictionaryOptions {
  readonly shards: number
  /** Slots in all: entries and hashes kept one by one. */
  readonly budget: number
  /** Distinct values from which an attribute is marked as overflowed. */
  readonly perAttributeCap: number
  /** Milliseconds unseen after which an entry is stale, and after which it goes. */
  readonly staleAfter: number
  readonly purgeAfter: number
  readonly clock: Clock
}

/** `stale` entries have not been seen for a while; they go once they have `expired`. */
export type Lifecycle = 'active' | 'stale' | 'expired'

/** Told what happens. */
export interface DictionaryWatcher {
  added?(entry: Entry): void
  removed?(entry: Entry, reason: EvictionReason): void
}

/** Steps of an observation that are applied before the event loop gets a turn. */
const SLICE = 2000

/**
 * Everything that was learned, in memory, within a budget. Observations go in, entries come out; what differs from
 * storage is in `changed`, `used` and `gone` until somebody has taken it.
 */
export class Dictionary {
  readonly options: DictionaryOptions
  /** Tells entries that are to stay longest; replaced once the standard is loaded. */
  isStandard: (entry: Entry) => boolean = () => false
  readonly watcher: DictionaryWatcher
  readonly #shards: Shards
  #exactHashes = 0
  #ageing = 0
  #sorted: readonly Entry[] | undefined
  /** Grows when entries were dropped: workers then forget what they have told. */
  epoch = 0
  /** Entries that are new, or of which more than counts and times changed. */
  changed = new Set<Entry>()
  /** Entries of which only counts and times changed. */
  used = new Set<Entry>()
  /** Keys of stored entries that are no more. */
  gone = new Set<string>()
  /** Names that observations left out. */
  skipped = 0

  constructor(options: DictionaryOptions, watcher: DictionaryWatcher = {}) {
    this.options = options
    this.watcher = watcher
    this.#shards = new Shards(options.shards)
  }

  get size(): number {
    return this.#shards.size
  }

  /** Slots of the budget in use: entries and hashes kept one by one. */
  get usedSlots(): number {
    return this.#shards.size + this.#exactHashes
  }

  get(kind: EntryKind, name: string): Entry | undefined {
    return this.#shards.get(kind, name)
  }

  /** Whether there is an entry with this key, see `entryKey`. */
  has(key: string): boolean {
    const slash = key.indexOf('/')
    return this.get(key.slice(0, slash) as EntryKind, key.slice(slash + 1)) !== undefined
  }

  entries(): IterableIterator<Entry> {
    return this.#shards.all()
  }

  /** All entries in the order of their names (by code unit), then kinds. Sorted anew only when some came or went. */
  sorted(): readonly Entry[] {
    this.#sorted ??= [...this.#shards.all()].sort(byName)
    return this.#sorted
  }

  /** Puts back an entry that was stored. */
  restore(entry: Entry): void {
    this.#sorted = undefined
    this.#shards.add(entry)
    this.#exactHashes += entry.sketch.exactHashes
  }

  /** Nobody stores what has changed. */
  forgetChanges(): void {
    this.changed.clear()
    this.used.clear()
    this.gone.clear()
  }

  status(entry: Entry): Lifecycle {
    const idle = this.options.clock.now() - entry.lastSeen
    if (idle > this.options.purgeAfter) return 'expired'
    return idle > this.options.staleAfter ? 'stale' : 'active'
  }

  /** Whether an entry has more distinct values than the cap. They are counted all the same. */
  overflowed(entry: Entry): boolean {
    return entry.sketch.cardinality > this.options.perAttributeCap
  }

  /** Enters what a worker has learned, in slices. */
  async apply(observation: Observation): Promise<void> {
    const now = this.options.clock.now()
    const entries: Entry[] = []
    let steps = 0
    const pause = async () => {
      if (++steps % SLICE !== 0) return
      this.enforceBudget()
      await setImmediate()
    }
    for (let row = 0; row < observation.names.length; row++) {
      entries.push(this.#enterRow(observation, row, now))
      await pause()
    }
    const { hashes, usage, services } = observation
    for (let at = 0; at < hashes.length; at += 3) {
      this.#enterHash(entries[hashes[at]!]!, hashes[at + 1]!, hashes[at + 2]!)
      await pause()
    }
    for (let at = 0; at < usage.length; at += 3) {
      const entry = entries[usage[at]!]!
      if (entry.use(services[usage[at + 1]!]!, usage[at + 2]!)) this.#mark(entry)
      await pause()
    }
    for (const { row, instrument, unit, description, keys } of observation.facts) {
      const entry = entries[row]!
      const told = [instrument ?? entry.instrument, unit ?? entry.unit, description ?? entry.description] as const
      if (told[0] !== entry.instrument || told[1] !== entry.unit || told[2] !== entry.description) {
        ;[entry.instrument, entry.unit, entry.description] = told
        this.#mark(entry)
      }
      if (keys !== undefined && entry.addKeys(keys)) this.#mark(entry)
    }
    this.skipped += observation.skipped
    this.enforceBudget()
  }

  /** Makes room when the budget is exceeded. */
  enforceBudget(): void {
    const { budget, purgeAfter, clock } = this.options
    if (this.usedSlots <= budget) return
    const dictionary = this
    const room = {
      get used() {
        return dictionary.usedSlots
      },
      demote: (entry: Entry) => this.#demote(entry),
      evict: (entry: Entry, reason: EvictionReason) => this.#evict(entry, reason),
    }
    makeRoom(this.#shards.all(), room, { budget, purgeAfter, now: clock.now() }, this.isStandard)
  }

  /** Lets go of expired entries of one shard, another one each time. */
  age(): void {
    const { purgeAfter, clock } = this.options
    const now = clock.now()
    for (const entry of this.#shards.shard(this.#ageing)) {
      if (now - entry.lastSeen > purgeAfter) this.#evict(entry, 'expired')
    }
    this.#ageing = (this.#ageing + 1) % this.#shards.count
  }

  #enterRow({ names, rows }: Observation, row: number, now: number): Entry {
    const at = row * ROW
    const kind = ENTRY_KINDS[rows[at + Column.KIND]!]!
    let entry = this.#shards.get(kind, names[row]!)
    if (entry === undefined) {
      entry = new Entry(kind, names[row]!, now)
      this.#shards.add(entry)
      this.#sorted = undefined
      this.changed.add(entry)
      this.watcher.added?.(entry)
    }
    const values = entry.values | rows[at + Column.VALUES]!
    const signals = entry.signals | rows[at + Column.SIGNALS]!
    const places = entry.places | rows[at + Column.PLACES]!
    if (values !== entry.values || signals !== entry.signals || places !== entry.places) this.changed.add(entry)
    else this.used.add(entry)
    entry.values = values
    entry.signals = signals
    entry.places = places
    entry.lastSeen = now
    entry.count += rows[at + Column.COUNT]!
    for (let kind = 0; kind < 6; kind++) entry.spanKinds[kind]! += rows[at + Column.SPAN_KINDS + kind]!
    return entry
  }

  #enterHash(entry: Entry, high: number, low: number): void {
    const before = entry.sketch.exactHashes
    if (!entry.sketch.add(high, low)) return
    entry.sketchChanged = true
    if (entry.removed) return
    this.changed.add(entry)
    this.#exactHashes += entry.sketch.exactHashes - before
  }

  #mark(entry: Entry): void {
    if (!entry.removed) this.changed.add(entry)
  }

  #demote(entry: Entry): void {
    this.#exactHashes -= entry.sketch.exactHashes
    entry.sketch.demote()
    entry.sketchChanged = true
    this.changed.add(entry)
  }

  #evict(entry: Entry, reason: EvictionReason): void {
    this.#shards.delete(entry)
    this.#exactHashes -= entry.sketch.exactHashes
    entry.removed = true
    this.changed.delete(entry)
    this.used.delete(entry)
    if (entry.stored) this.gone.add(entryKey(entry.kind, entry.name))
    this.#sorted = undefined
    this.epoch++
    this.watcher.removed?.(entry, reason)
  }
}

function byName(a: Entry, b: Entry): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1
  return a.kind < b.kind ? -1 : 1
}
