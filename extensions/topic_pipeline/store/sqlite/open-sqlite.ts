import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import { migrate } from '../migrations/migrate.ts'
import type { Schema } from '../schema.ts'
import type { SqlDatabase } from '../sql-store.ts'
import { StoreError } from '../store-error.ts'
import { ThreadError } from '../threads/thread.ts'
import { embeddedIndex } from '../vectors/embedded-index.ts'
import { SqliteClient } from './sqlite-client.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

/**
 * Opens the embedded database in `directory`. `alone`: nobody else who asks for that may have it open.
 * @throws {StoreError}
 */
export async function openSqlite(directory: string, alone: boolean): Promise<SqlDatabase> {
  const path = join(directory, 'topics.sqlite')
  await mkdir(directory, { recursive: true }).catch((cause: Error) => {
    throw new StoreError(`Could not make the data directory ${directory}: ${cause.message}`, { cause })
  })
  const client = new SqliteClient(path)
  if (alone) await holdAlone(client, directory)
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

async function holdAlone(client: SqliteClient, directory: string): Promise<void> {
  try {
    await client.hold()
  } catch (cause) {
    await client.close()
    const locked = cause instanceof ThreadError && cause.code === SQLITE_BUSY
    const why = locked ? 'another topic pipeline uses it; to share the work, set database' : (cause as Error).message
    throw new StoreError(`Could not open the data directory ${directory}: ${why}`, { cause })
  }
}

const SQLITE_BUSY = 5
