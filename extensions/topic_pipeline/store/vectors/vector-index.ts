import type { Kysely } from 'kysely'
import type { Schema, VectorSubject } from '../schema.ts'
import type { OpenSession, SetVector } from '../session.ts'

/** Where vectors are kept and compared. Vectors have unit length. */
export interface VectorIndex {
  /** Without it nothing is kept and nothing found. */
  readonly available: boolean
  /** Replaces what was there. */
  set(open: OpenSession, vector: SetVector): Promise<void>
  delete(db: Kysely<Schema>, subject: VectorSubject, ref: number): Promise<void>
  get(db: Kysely<Schema>, subject: VectorSubject, ref: number): Promise<StoredVector | undefined>
  /** The models of those of `refs` that have a vector. */
  models(db: Kysely<Schema>, subject: VectorSubject, refs: readonly number[]): Promise<Map<number, string>>
  /**
   * Candidates, nearest first: committed vectors of that subject, model and dimension. Some may be gone or not wanted by
   * now, so ask for more than needed; fewer than `limit` means that there are no others. `db`: whom to ask, where that is
   * the database.
   */
  search(db: Kysely<Schema>, query: VectorQuery): Promise<Candidate[]>
  close(): Promise<void>
}

export interface StoredVector {
  readonly model: string
  readonly vector: Float32Array
}

export interface VectorQuery {
  readonly subject: VectorSubject
  readonly model: string
  readonly vector: Float32Array
  readonly limit: number
  /** Set at or after; 0: all. */
  readonly since: number
}

export interface Candidate {
  readonly ref: number
  readonly similarity: number
}
