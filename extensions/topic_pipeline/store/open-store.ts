import type { Logger } from '#core/component'
import { openPostgres } from './postgres/open-postgres.ts'
import { sqlStore } from './sql-store.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'
import type { TopicStore } from './store.ts'

export interface StoreOptions {
  /** `postgres://…` or `postgresql://…`; absent or empty: embedded, in `dataDir`. */
  readonly database?: string
  /** Directory of the embedded store, made when it does not exist. */
  readonly dataDir: string
  readonly logger: Logger
}

/**
 * Opens the store and brings its schema up to date.
 * @throws {StoreError} when the database cannot be reached, or was written by a newer version
 */
export async function openStore({ database = '', dataDir, logger }: StoreOptions): Promise<TopicStore> {
  return sqlStore(await (database === '' ? openSqlite(dataDir) : openPostgres(database, logger)))
}
