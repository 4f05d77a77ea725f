import type { Logger } from '#core/component'
import type { Keeper } from '../storage/keeper.ts'
import type { Snapshot } from './snapshot.ts'

/** Snapshots that are kept; the oldest goes when there is one more. */
export const MAX_SNAPSHOTS = 50
const PREFIX = 'snapshot/'

/** What lists show of a snapshot. */
export interface SnapshotSummary {
  readonly id: string
  readonly created_at: string
  readonly entries: number
}

/** Snapshots by id, in memory and, where there is storage, in storage. */
export class Snapshots {
  readonly #keeper: Keeper
  readonly #logger: Logger
  readonly #kept = new Map<string, Snapshot>()

  constructor(keeper: Keeper, logger: Logger) {
    this.#keeper = keeper
    this.#logger = logger
  }

  /** Reads what is stored. Snapshots that cannot be read are left out, with a line in the log. */
  async load(): Promise<void> {
    const found: Snapshot[] = []
    for await (const [key, bytes] of this.#keeper.store?.list(PREFIX) ?? []) {
      try {
        found.push(JSON.parse(bytes.toString()) as Snapshot)
      } catch (error) {
        this.#logger.warn('Snapshot cannot be read', { id: key.slice(PREFIX.length), error })
      }
    }
    for (const snapshot of found.sort((a, b) => a.created - b.created)) this.#kept.set(snapshot.id, snapshot)
  }

  /** Keeps a snapshot. Resolves once it is stored; rejects when it cannot be, and it is then kept in memory only. */
  async add(snapshot: Snapshot): Promise<void> {
    this.#kept.set(snapshot.id, snapshot)
    const { store } = this.#keeper
    while (this.#kept.size > MAX_SNAPSHOTS) {
      const [oldest] = this.#kept.keys()
      this.#kept.delete(oldest!)
      await store?.delete(PREFIX + oldest)
    }
    await store?.set(PREFIX + snapshot.id, Buffer.from(JSON.stringify(snapshot)))
  }

  /** Whether there was one to delete. */
  async delete(id: string): Promise<boolean> {
    const existed = this.#kept.delete(id)
    if (existed) await this.#keeper.store?.delete(PREFIX + id)
    return existed
  }

  get(id: string): Snapshot | undefined {
    return this.#kept.get(id)
  }

  /** The oldest first. */
  list(): SnapshotSummary[] {
    return [...this.#kept.values()].map(summaryOf)
  }
}

export function summaryOf({ id, created, entries }: Snapshot): SnapshotSummary {
  return { id, created_at: new Date(created).toISOString(), entries: entries.length }
}
