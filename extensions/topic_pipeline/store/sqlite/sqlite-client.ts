import { extname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Thread } from '../threads/thread.ts'
import type { Lane, Part, SqliteCall, SqlValue } from './protocol.ts'

export interface StatementResult {
  readonly rows: Record<string, SqlValue>[]
  readonly changes: number
}

/** Sends statements to the thread that owns the database file. */
export class SqliteClient {
  readonly #thread: Thread<SqliteCall, Part>

  /** `path`: of the database file, made when it does not exist. */
  constructor(path: string) {
    this.#thread = new Thread(THREAD, { path })
  }

  /** @throws {ThreadError} when SQLite refuses the statement */
  async run(lane: Lane, sql: string, parameters: readonly SqlValue[] = []): Promise<StatementResult> {
    let part = await this.#thread.call({ kind: 'run', lane, sql, parameters })
    const { changes } = part
    const rows = part.rows.map(values => named(part.columns, values))
    while (part.rest !== undefined) {
      // Others get their turn between two parts.
      await setImmediate()
      part = await this.#thread.call({ kind: 'more', rest: part.rest })
      for (const values of part.rows) rows.push(named(part.columns, values))
    }
    return { rows, changes }
  }

  /** Takes the file for this client alone, until it is closed or the process ends. @throws {ThreadError} it is taken */
  async hold(): Promise<void> {
    await this.#thread.call({ kind: 'hold' })
  }

  /** Closes the file and ends the thread. */
  async close(): Promise<void> {
    await this.#thread.call({ kind: 'close' }).catch(() => undefined)
    await this.#thread.close()
  }
}

function named(columns: readonly string[], values: readonly SqlValue[]): Record<string, SqlValue> {
  const row: Record<string, SqlValue> = {}
  for (let i = 0; i < columns.length; i++) row[columns[i]!] = values[i]!
  return row
}

/** Beside this file, which is TypeScript here and JavaScript once it is built. */
const THREAD = new URL(`./sqlite-thread${extname(import.meta.filename)}`, import.meta.url)
