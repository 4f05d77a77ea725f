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
  /** Whether the embedded store is refused when it is open elsewhere, in this process or another. */
  readonly alone?: boolean
}

/**
 * Opens the store and brings its schema up to date.
 * @throws {StoreError} when the database cannot be reached, was written by a newer version, or is open elsewhere
 */
export async function openStore({ database = '', dataDir, logger, alone = false }: StoreOptions): Promise<TopicStore> {
  return sqlStore(await (database === '' ? openSqlite(dataDir, alone) : openPostgres(database, logger)))
}
