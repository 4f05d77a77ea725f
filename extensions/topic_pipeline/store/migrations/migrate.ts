import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Schema } from '../schema.ts'
import type { DatabaseKind } from '../session.ts'
import { StoreError } from '../store-error.ts'
import { migrations } from './migrations.ts'

/**
 * Brings the schema up to date, in one transaction.
 * @throws {StoreError} when a newer version has been here, or a change fails
 */
export async function migrate(db: Kysely<Schema>, kind: DatabaseKind, name: string): Promise<void> {
  const provider = migrations(kind)
  const migrator = new Migrator({ db, provider })
  const known = await provider.getMigrations()
  const unknown = await applied(db, Object.keys(known))
  if (unknown.length > 0) {
    throw new StoreError(`Could not open ${name}: a newer version has changed it (${unknown.join(', ')})`)
  }
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  const why = error instanceof Error ? error.message : String(error)
  throw new StoreError(`Could not bring the schema of ${name} up to date: ${why}`, { cause: error })
}

/** Names of applied migrations that this version does not have. */
async function applied(db: Kysely<Schema>, known: readonly string[]): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(table => table.name === 'kysely_migration')) return []
  // biome-ignore lint/suspicious/noExplicitAny: the migrator's own table is not in the schema
  const rows = await (db as Kysely<any>).selectFrom('kysely_migration').select('name').execute()
  return rows.map(row => row.name as string).filter(name => !known.includes(name))
}
