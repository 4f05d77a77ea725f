import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'
import type { VectorIndex } from './vector-index.ts'

/**
 * Vectors in PostgreSQL with the pgvector extension, compared exactly. Of any dimension; those of another dimension than
 * the query's are no candidates.
 */
export function pgvectorIndex(): VectorIndex {
  return {
    available: true,

    async set(open, { subject, ref, model, vector, setAt }) {
      await sql`insert into vectors (subject, ref, model, dimensions, set_at, embedding)
        values (${subject}, ${ref}, ${model}, ${vector.length}, ${setAt}, ${literal(vector)}::vector)
        on conflict (subject, ref) do update set model = excluded.model, dimensions = excluded.dimensions,
          set_at = excluded.set_at, embedding = excluded.embedding`.execute(open.read)
    },

    async delete(db, subject, ref) {
      await sql`delete from vectors where subject = ${subject} and ref = ${ref}`.execute(db)
    },

    async get(db, subject, ref) {
      const { rows } = await sql<{ model: string; embedding: string }>`select model, embedding::text as embedding
        from vectors where subject = ${subject} and ref = ${ref}`.execute(db)
      const row = rows[0]
      return row && { model: row.model, vector: Float32Array.from(JSON.parse(row.embedding) as number[]) }
    },

    async models(db, subject, refs) {
      const { rows } = await sql<{ ref: number; model: string }>`select ref, model from vectors
        where subject = ${subject} and ref in (${sql.join(refs)})`.execute(db)
      return new Map(rows.map(row => [row.ref, row.model]))
    },

    async search(db, { subject, model, vector, limit, since }) {
      // Of unit vectors the inner product is the cosine, and less work. It comes negated, for ascending order.
      const { rows } = await sql<{ ref: number; similarity: number }>`
        select ref, -distance as similarity from (
          select ref, embedding <#> ${literal(vector)}::vector as distance from vectors
          where subject = ${subject} and model = ${model} and dimensions = ${vector.length} and set_at >= ${since}
          order by distance, ref limit ${limit}) as nearest`.execute(db)
      return rows
    },

    async close() {},
  }
}

/** Where nothing can be kept: nothing is found either. */
export function noIndex(): VectorIndex {
  return {
    available: false,
    set: async () => {},
    delete: async () => {},
    get: async () => undefined,
    models: async () => new Map(),
    search: async () => [],
    close: async () => {},
  }
}

/**
 * Makes the extension and its table, as far as the server has the extension and we may.
 * @returns whether vectors can be kept
 */
export async function preparePgvector(db: Kysely<Schema>): Promise<boolean> {
  if (!(await hasVectors(db))) {
    // Who may not create it, or has no such package installed, gets an error: then there are no vectors.
    await sql`create extension if not exists vector`.execute(db).catch(() => undefined)
    if (!(await hasVectors(db))) return false
  }
  const { rows } = await sql<{ present: string | null }>`select to_regclass('vectors')::text as present`.execute(db)
  if (rows[0]!.present !== null) return true
  await sql`create table vectors (
    subject text not null, ref bigint not null, model text not null, dimensions integer not null,
    set_at bigint not null, embedding vector not null, primary key (subject, ref))`.execute(db)
  // In the row as long as it fits into a page, up to 2000 dimensions: each search reads all of them.
  await sql`alter table vectors alter column embedding set storage main`.execute(db)
  await sql`create index vectors_model on vectors (subject, model, set_at)`.execute(db)
  return true
}

/** Also not when the extension is in a schema that is not searched. */
async function hasVectors(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ type: string | null }>`select to_regtype('vector')::text as type`.execute(db)
  return rows[0]!.type !== null
}

function literal(vector: Float32Array): string {
  return JSON.stringify(Array.from(vector))
}
