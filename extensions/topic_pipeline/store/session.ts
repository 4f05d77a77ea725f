import type { Kysely, Transaction } from 'kysely'
import type { Schema, VectorSubject } from './schema.ts'
import type { VectorIndex } from './vectors/vector-index.ts'

/** SQLite inside the process, or a PostgreSQL server. */
export type DatabaseKind = 'sqlite' | 'postgres'

/** What tables read and write through: the database, or one transaction. */
export interface Session {
  readonly kind: DatabaseKind
  readonly read: Kysely<Schema>
  readonly vectors: VectorIndex
  /** Vectors that this transaction has set and that searches elsewhere do not see yet; empty outside of one. */
  readonly setVectors: readonly SetVector[]
  /** Runs `work` in this transaction, or in one of its own. */
  write<T>(work: (open: OpenSession) => Promise<T>): Promise<T>
}

/** A transaction that is under way. */
export interface OpenSession extends Session {
  readonly read: Transaction<Schema>
  /** Nobody else who writes now has the same: see `counters`. */
  readonly slot: number
  readonly setVectors: SetVector[]
  /** What is to be added to which counter, see `counters.ts`. */
  readonly counts: Map<string, number>
  /** Call when jobs became PENDING: whoever runs jobs hears of it after the commit. */
  jobsAdded(): void
}

export interface SetVector {
  readonly subject: VectorSubject
  readonly ref: number
  readonly model: string
  readonly vector: Float32Array
  readonly setAt: number
}
