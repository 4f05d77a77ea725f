/**
 * The thread that owns the embedded database: statements come as calls, results go back in parts that the event loop of
 * the main thread takes in without delay.
 * @module
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'
import { serve } from '../threads/serve.ts'
import { connect } from './connect.ts'
import type { Lane, Part, SqliteCall, SqlValue } from './protocol.ts'

/** Statements kept prepared a connection. */
const PREPARED = 300
/** Characters and bytes of a part, about: what a thread takes in within a millisecond. */
const PART = 256 * 1024
/** Milliseconds that one who wants the file alone waits for one who just lets go of it. */
const HOLD = 3000
const NOTHING: Part = { columns: [], rows: [], changes: 0 }

interface Connection {
  readonly database: DatabaseSync
  readonly prepared: Map<string, StatementSync>
}

interface Result {
  readonly columns: readonly string[]
  readonly rows: readonly SqlValue[][]
  next: number
}

const { path } = workerData as { path: string }
const lanes: Record<Lane, Connection> = {
  write: { database: connect(path), prepared: new Map() },
  read: { database: connect(path), prepared: new Map() },
}
let held: DatabaseSync | undefined
const rests = new Map<number, Result>()
let lastRest = 0

serve((call: SqliteCall): Part => {
  switch (call.kind) {
    case 'run':
      return run(lanes[call.lane], call.sql, call.parameters)
    case 'more': {
      const result = rests.get(call.rest)!
      rests.delete(call.rest)
      return partOf(result)
    }
    case 'hold':
      held = hold()
      return NOTHING
    case 'close':
      held?.close()
      for (const { database } of Object.values(lanes)) database.close()
      return NOTHING
  }
})

/**
 * Locks a file beside the database as long as it is open. The operating system lets go of it when the process dies,
 * however that happens.
 */
function hold(): DatabaseSync {
  const lock = new DatabaseSync(`${path}-lock`, { timeout: HOLD })
  try {
    lock.exec('begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    throw error
  }
}

function run(connection: Connection, sql: string, parameters: readonly SqlValue[]): Part {
  const statement = prepare(connection, sql)
  const columns = statement.columns().map(column => column.name)
  if (columns.length === 0) {
    return { columns, rows: [], changes: Number(statement.run(...parameters).changes) }
  }
  const rows = statement.all(...parameters) as unknown as SqlValue[][]
  return { ...partOf({ columns, rows, next: 0 }), changes: rows.length }
}

function prepare({ database, prepared }: Connection, sql: string): StatementSync {
  const known = prepared.get(sql)
  prepared.delete(sql)
  const statement = known ?? database.prepare(sql)
  if (known === undefined) statement.setReturnArrays(true)
  if (prepared.size >= PREPARED) prepared.delete(prepared.keys().next().value!)
  prepared.set(sql, statement)
  return statement
}

function partOf(result: Result): Part {
  const { columns, rows, next } = result
  for (let size = 0; result.next < rows.length && size < PART; result.next++) {
    for (const value of rows[result.next]!) size += weight(value)
  }
  const part = { columns, rows: rows.slice(next, result.next), changes: 0 }
  if (result.next === rows.length) return part
  rests.set(++lastRest, result)
  return { ...part, rest: lastRest }
}

function weight(value: SqlValue): number {
  if (typeof value === 'string') return value.length + 16
  return value instanceof Uint8Array ? value.byteLength + 64 : 16
}
