import { DatabaseSync } from 'node:sqlite'

/** Milliseconds that one who writes waits for another process that does. */
const BUSY = 10_000

/** Opens the embedded database. What is committed is on disk. */
export function connect(path: string, options: { readonly readOnly?: boolean } = {}): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY, enableForeignKeyConstraints: true, ...options })
  if (options.readOnly !== true) {
    // A vector of 1536 dimensions fits into one such page. Of a file that exists the size does not change.
    database.exec('pragma page_size = 8192; pragma journal_mode = wal; pragma journal_size_limit = 67108864')
  }
  database.exec(`pragma synchronous = full; pragma temp_store = memory; pragma cache_size = -32768;
    pragma mmap_size = 1073741824`)
  return database
}
