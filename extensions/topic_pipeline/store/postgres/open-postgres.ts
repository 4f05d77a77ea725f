import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Logger, RetryableError } from '#core/component'
import { migrate } from '../migrations/migrate.ts'
import type { Schema } from '../schema.ts'
import type { SqlDatabase } from '../sql-store.ts'
import { StoreError } from '../store-error.ts'
import { noIndex, pgvectorIndex, preparePgvector } from '../vectors/pgvector-index.ts'
import { foldCounters } from './fold-counters.ts'
import { postgresPool } from './postgres-pool.ts'

/** Counter slots that each process reserves. */
const SLOTS = 1000

/**
 * Connects to a PostgreSQL server, 12 or later.
 * @throws {StoreError}
 */
export async function openPostgres(url: string, logger: Logger): Promise<SqlDatabase> {
  const name = withoutCredentials(url)
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: postgresPool(url, logger) }) })
  try {
    await migrate(db, 'postgres', name)
    const vectors = await exclusively(db, () => preparePgvector(db))
    if (!vectors) {
      logger.warn('The database has no pgvector extension: drafts are written without references', { database: name })
    }
    const slot = await sql<{ slot: number }>`select nextval('counter_slots') as slot`.execute(db)
    await foldCounters(db)
    return {
      kind: 'postgres',
      name,
      read: db,
      write: db,
      vectors: vectors ? pgvectorIndex() : noIndex(),
      firstSlot: slot.rows[0]!.slot * SLOTS,
      close: () => db.destroy(),
    }
  } catch (error) {
    await db.destroy()
    if (error instanceof StoreError) throw error
    throw new StoreError(`Could not open ${name}: ${reason(error)}`, { cause: error })
  }
}

/** Runs `work` while no other process that starts does the same. */
async function exclusively<T>(db: Kysely<Schema>, work: () => Promise<T>): Promise<T> {
  return await db.transaction().execute(async trx => {
    await sql`select pg_advisory_xact_lock(hashtext('topic_pipeline.prepare'))`.execute(trx)
    return await work()
  })
}

function withoutCredentials(url: string): string {
  const { host, pathname } = new URL(url)
  return `postgres://${host}${pathname}`
}

/** A host with several addresses fails with one error for each, and no message of its own. */
function reason(thrown: unknown): string {
  const error = thrown instanceof RetryableError ? thrown.cause : thrown
  if (error instanceof AggregateError && error.message === '') return error.errors.map(each => each.message).join('; ')
  return (error as Error).message
}
