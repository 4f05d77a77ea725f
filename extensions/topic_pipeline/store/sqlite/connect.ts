import { DatabaseSync } from 'node:sqlite'

/** Milliseconds that one who writes waits for another process that does. */
const BUSY = 10_000

/** Opens the embedded database. What is committed is on disk. */
export function connect(path: string, options: { readonly readOnly?: boolean } = {}): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY, enableForeignKeyConstraints: true, ...options })
  if (options.readOnly !== true) database.exec('pragma journal_mode = wal; pragma journal_size_limit = 67108864')
  database.exec(`pragma synchronous = full; pragma temp_store = memory; pragma cache_size = -32768;
    pragma mmap_size = 1073741824`)
  return database
}
