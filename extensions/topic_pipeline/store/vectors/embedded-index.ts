import { extname } from 'node:path'
import { Thread } from '../threads/thread.ts'
import { bytesOf, vectorOf } from './bytes.ts'
import type { SearchCall } from './search-thread.ts'
import type { Candidate, VectorIndex } from './vector-index.ts'

/**
 * Vectors in the embedded store, compared one with all in a thread that starts with the first search. Of any dimension;
 * those of another dimension than the query's are no candidates.
 */
export function embeddedIndex(path: string): VectorIndex {
  let thread: Thread<SearchCall, Candidate[]> | undefined
  return {
    available: true,

    async set(open, { subject, ref, model, vector, setAt }) {
      // A new row each time: its version tells the thread what changed.
      await this.delete(open.read, subject, ref)
      await open.read
        .insertInto('vectors')
        .values({ subject, ref, model, set_at: setAt, embedding: bytesOf(vector) })
        .execute()
    },

    async delete(db, subject, ref) {
      await db.deleteFrom('vectors').where('subject', '=', subject).where('ref', '=', ref).execute()
    },

    async get(db, subject, ref) {
      const row = await db
        .selectFrom('vectors')
        .select(['model', 'embedding'])
        .where('subject', '=', subject)
        .where('ref', '=', ref)
        .executeTakeFirst()
      return row && { model: row.model, vector: vectorOf(row.embedding) }
    },

    async models(db, subject, refs) {
      const rows = await db
        .selectFrom('vectors')
        .select(['ref', 'model'])
        .where('subject', '=', subject)
        .where('ref', 'in', refs)
        .execute()
      return new Map(rows.map(row => [row.ref, row.model]))
    },

    search(_db, query) {
      thread ??= new Thread(THREAD, { path })
      return thread.call(query)
    },

    async close() {
      await thread?.call('close').catch(() => undefined)
      await thread?.close()
    },
  }
}

/** Beside this file, which is TypeScript here and JavaScript once it is built. */
const THREAD = new URL(`./search-thread${extname(import.meta.filename)}`, import.meta.url)
