import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { RecordingLogger, tempDir } from '#core/testing'
import { openStore, type StoreOptions } from '../open-store.ts'
import type { TopicStore } from '../store.ts'

/** A kind of database that the suites run on. */
export interface TestDatabase {
  readonly name: string
  /** An empty database of one test's own, gone at the end of its scope. */
  create(): Promise<Place>
}

export interface Place extends AsyncDisposable {
  /** What {@link openStore} takes, also in another process. */
  readonly options: Pick<StoreOptions, 'database' | 'dataDir'>
  /** A store on it, closed with the place. Several may be open at the same time. */
  open(): Promise<TopicStore>
}

export const SQLITE: TestDatabase = {
  name: 'SQLite',
  async create() {
    const dir = await tempDir()
    return place({ dataDir: dir.path }, async () => dir[Symbol.asyncDispose]())
  },
}

/** A database of its own on the server that `test/postgres/with-postgres` has started. */
export function postgres(server: string): TestDatabase {
  return {
    name: 'PostgreSQL',
    async create() {
      const name = `topics_${randomBytes(6).toString('hex')}`
      const admin = new Client({ connectionString: server })
      await admin.connect()
      await admin.query(`create database ${name}`)
      const database = Object.assign(new URL(server), { pathname: name }).href
      return place({ database, dataDir: '' }, async () => {
        await admin.query(`drop database ${name} with (force)`)
        await admin.end()
      })
    },
  }
}

/** Of the server that tests may use, if there is one. */
export const POSTGRES_URL = process.env.MILLRACE_TEST_POSTGRES

/** The title of tests that need a server, which says how to have one. */
export const ON_POSTGRES =
  POSTGRES_URL === undefined ? 'PostgreSQL (skipped: run test/postgres/with-postgres npm test)' : 'PostgreSQL'

function place(options: Place['options'], remove: () => Promise<void>): Place {
  const stores: TopicStore[] = []
  return {
    options,
    async open() {
      const store = await openStore({ ...options, logger: new RecordingLogger() })
      stores.push(store)
      return store
    },
    async [Symbol.asyncDispose]() {
      for (const store of stores) await store.close()
      await remove()
    },
  }
}
