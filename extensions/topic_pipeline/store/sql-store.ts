import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely } from 'kysely'
import { writeCounts } from './counters.ts'
import type { Schema } from './schema.ts'
import type { DatabaseKind, OpenSession, Session, SetVector } from './session.ts'
import type { Tables, TopicStore } from './store.ts'
import { tablesOf } from './tables/tables.ts'
import type { VectorIndex } from './vectors/vector-index.ts'

/** An open database, migrated. */
export interface SqlDatabase {
  readonly kind: DatabaseKind
  readonly name: string
  readonly read: Kysely<Schema>
  readonly write: Kysely<Schema>
  readonly vectors: VectorIndex
  /** First of the counter slots that this process alone writes to. */
  readonly firstSlot: number
  close(): Promise<void>
}

/** The store over a database. */
export function sqlStore(database: SqlDatabase): TopicStore {
  const listeners = new Set<() => void>()
  const slots = slotsFrom(database.firstSlot)
  const around = new AsyncLocalStorage<{ ended: boolean }>()
  const session: Session = {
    kind: database.kind,
    read: database.read,
    vectors: database.vectors,
    setVectors: [],
    async write(work) {
      if (around.getStore()?.ended === false) {
        throw new Error('Could not write: a transaction is under way here, which only its own tables may write in')
      }
      const here = { ended: false }
      let slot: number | undefined
      let jobsAdded = false
      try {
        return await database.write.transaction().execute(async read => {
          slot = slots.take()
          const open: OpenSession = {
            kind: database.kind,
            read,
            vectors: database.vectors,
            setVectors: [] as SetVector[],
            slot,
            counts: new Map(),
            write: inner => inner(open),
            jobsAdded: () => {
              jobsAdded = true
            },
          }
          const result = await around.run(here, () => work(open))
          await writeCounts(open)
          return result
        })
      } finally {
        here.ended = true
        if (slot !== undefined) slots.give(slot)
        // After a failed commit it is a look in vain.
        if (jobsAdded) for (const listener of listeners) listener()
      }
    },
  }
  return {
    ...tablesOf(session),
    name: database.name,
    transaction: <T>(work: (tables: Tables) => Promise<T>) => session.write(open => work(tablesOf(open))),
    onJobs(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => database.close(),
  }
}

/** The lowest number that nobody uses, so that few are ever used. */
function slotsFrom(first: number) {
  const taken = new Set<number>()
  return {
    take() {
      let slot = first
      while (taken.has(slot)) slot++
      taken.add(slot)
      return slot
    },
    give: (slot: number) => void taken.delete(slot),
  }
}
