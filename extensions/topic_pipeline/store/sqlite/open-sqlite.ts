import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import { migrate } from '../migrations/migrate.ts'
import type { Schema } from '../schema.ts'
import type { SqlDatabase } from '../sql-store.ts'
import { StoreError } from '../store-error.ts'
import { embeddedIndex } from '../vectors/embedded-index.ts'
import { SqliteClient } from './sqlite-client.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

/**
 * Opens the embedded database in `directory`.
 * @throws {StoreError}
 */
export async function openSqlite(directory: string): Promise<SqlDatabase> {
  const path = join(directory, 'topics.sqlite')
  await mkdir(directory, { recursive: true }).catch((cause: Error) => {
    throw new StoreError(`Could not make the data directory ${directory}: ${cause.message}`, { cause })
  })
  const client = new SqliteClient(path)
  const write = new Kysely<Schema>({ dialect: sqliteDialect(client, 'write') })
  const vectors = embeddedIndex(path)
  try {
    await migrate(write, 'sqlite', path)
  } catch (error) {
    await client.close()
    throw error instanceof StoreError
      ? error
      : new StoreError(`Could not open ${path}: ${(error as Error).message}`, { cause: error })
  }
  return {
    kind: 'sqlite',
    name: path,
    read: new Kysely<Schema>({ dialect: sqliteDialect(client, 'read') }),
    write,
    vectors,
    firstSlot: 0,
    async close() {
      await vectors.close()
      await client.close()
    },
  }
}
