import { type Kysely, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration'
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
  const known = Object.keys(await provider.getMigrations())
  const schema = kind === 'postgres' ? await currentSchema(db) : undefined
  const newer = (await applied(db, schema)).filter(each => !known.includes(each))
  if (newer.length > 0) {
    throw new StoreError(`Could not open ${name}: a newer version has changed it (${newer.join(', ')})`)
  }
  const place = schema === undefined ? {} : { migrationTableSchema: schema }
  const { error } = await new Migrator({ db, provider, ...place }).migrateToLatest()
  if (error === undefined) return
  const why = error instanceof Error ? error.message : String(error)
  throw new StoreError(`Could not bring the schema of ${name} up to date: ${why}`, { cause: error })
}

/** Names of the changes that were made to it, none when it is new. */
async function applied(db: Kysely<Schema>, schema: string | undefined): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  const ours = tables.filter(table => schema === undefined || table.schema === schema)
  if (!ours.some(table => table.name === DEFAULT_MIGRATION_TABLE)) return []
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db)
  return rows.map(row => row.name)
}

/** Where PostgreSQL puts new tables: several stores may share a database, each in a schema of its own. */
async function currentSchema(db: Kysely<Schema>): Promise<string> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db)
  return rows[0]!.schema
}
