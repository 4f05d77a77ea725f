import type { PostgresPool, PostgresQueryResult } from 'kysely'
import { Pool, types } from 'pg'
import { type Logger, RetryableError } from '#core/component'
import { storable } from '../storable.ts'

/** Connections of one process. */
const CONNECTIONS = 10
const CONNECT_TIMEOUT = 10_000
/** Milliseconds after which the server ends a transaction whose process stands still, so that others need not wait. */
const STANDSTILL = 60_000

/** Connections to a PostgreSQL server for Kysely: 64-bit integers as numbers, texts as it takes them. */
export function postgresPool(url: string, logger: Logger): PostgresPool {
  const pool = new Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    idle_in_transaction_session_timeout: STANDSTILL,
    keepAlive: true,
    application_name: 'millrace topic pipeline',
    types: { getTypeParser: (id: number, format?: 'text' | 'binary') => parser(id, format) },
  })
  const broke = (error: Error) => logger.warn('A connection to the database broke', { error })
  // Of connections that nobody uses: the next query takes another.
  pool.on('error', broke)
  // Of those in use between two queries the pool does not hear, and an error that nobody hears ends the process. The next
  // query fails, and with it the transaction.
  pool.on('connect', client => client.on('error', broke))
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch((cause: Error) => {
        throw new RetryableError('The database cannot be reached', { cause })
      })
      return {
        query: (async (sql: string, parameters: readonly unknown[]) =>
          (await client.query(sql, parameters.map(storable))) as unknown as PostgresQueryResult<never>) as never,
        release: destroy => client.release(destroy),
      }
    },
  }
}

function parser(id: number, format: 'text' | 'binary' = 'text') {
  return id === types.builtins.INT8 ? Number : types.getTypeParser(id, format as 'text')
}
