import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { RetryableError } from '#core/component'
import { storable } from '../storable.ts'
import { ThreadError } from '../threads/thread.ts'
import type { Lane, SqlValue } from './protocol.ts'
import type { SqliteClient } from './sqlite-client.ts'

/**
 * Kysely over {@link SqliteClient}. On the `write` lane whoever has the connection has it alone until it is given back,
 * in the order of asking; the `read` lane serves everybody at once and sees what is committed.
 */
export function sqliteDialect(client: SqliteClient, lane: Lane): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new SqliteDriver(client, lane),
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** SQLite undoes changes of the schema with the rest of a transaction, so migrations are all or nothing. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class SqliteDriver implements Driver {
  readonly #client: SqliteClient
  readonly #lane: Lane
  readonly #connection: SqliteConnection
  #last: Promise<void> = Promise.resolve()
  #release: () => void = () => undefined

  constructor(client: SqliteClient, lane: Lane) {
    this.#client = client
    this.#lane = lane
    this.#connection = new SqliteConnection(client, lane)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#lane === 'read') return this.#connection
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    this.#release = resolve
    return this.#connection
  }

  async releaseConnection(): Promise<void> {
    this.#release()
  }

  /** Takes the right to write at once: a transaction that asked for it later could be refused. */
  async beginTransaction(): Promise<void> {
    await this.#client.run(this.#lane, 'begin immediate')
  }

  async commitTransaction(): Promise<void> {
    await this.#client.run(this.#lane, 'commit').catch(explain)
  }

  /** SQLite has done it already when the disk was full: what went wrong shall be heard, not that. */
  async rollbackTransaction(): Promise<void> {
    await this.#client.run(this.#lane, 'rollback').catch(error => {
      if (!(error instanceof ThreadError && error.message.includes('no transaction is active'))) throw error
    })
  }

  async destroy(): Promise<void> {}
}

/** Primary result codes of SQLite. */
const CORRUPT = 11
const FULL = 13

/** @throws what was thrown, in words for people where SQLite's are none */
function explain(error: unknown): never {
  const code = error instanceof ThreadError ? error.code & 0xff : 0
  if (code === FULL) {
    throw new RetryableError('The disk on which the data directory is has no room left', { cause: error })
  }
  if (code === CORRUPT) {
    const what =
      'topics.sqlite in the data directory is damaged: put a backup in its place, or move it away to begin anew'
    throw new Error(what, { cause: error })
  }
  throw error
}

class SqliteConnection implements DatabaseConnection {
  readonly #client: SqliteClient
  readonly #lane: Lane

  constructor(client: SqliteClient, lane: Lane) {
    this.#client = client
    this.#lane = lane
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, changes } = await this.#client
      .run(this.#lane, sql, parameters.map(storable) as SqlValue[])
      .catch(explain)
    return { rows: rows as R[], numAffectedRows: BigInt(changes) }
  }

  // biome-ignore lint/correctness/useYield: results come whole, in parts that the client puts together
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Results of the embedded store are not streamed')
  }
}
