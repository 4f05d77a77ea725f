import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { RecordingLogger, tempDir } from '#core/testing'
import { openStore } from '../store/open-store.ts'
import type { TopicStore } from '../store/store.ts'

export interface TestDatabase {
  readonly store: TopicStore
  close(): Promise<void>
}

/** Every database that the store runs on and that there is, each opened anew and empty. */
export function databases(): readonly { readonly name: string; open(): Promise<TestDatabase> }[] {
  const server = process.env.MILLRACE_TEST_POSTGRES
  const embedded = { name: 'SQLite', open: openEmbedded }
  return server === undefined ? [embedded] : [embedded, { name: 'PostgreSQL', open: () => openOn(server) }]
}

async function openEmbedded(): Promise<TestDatabase> {
  const dir = await tempDir()
  const store = await openStore({ dataDir: dir.path, logger: new RecordingLogger() })
  return {
    store,
    async close() {
      await store.close()
      await dir[Symbol.asyncDispose]()
    },
  }
}

/** A database of its own on a server that is there for tests. */
async function openOn(server: string): Promise<TestDatabase> {
  const name = `topics_${randomBytes(6).toString('hex')}`
  await administer(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const store = await openStore({ database: url.href, dataDir: '', logger: new RecordingLogger() })
  return {
    store,
    async close() {
      await store.close()
      await administer(server, `DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

async function administer(server: string, command: string): Promise<void> {
  const client = new Client(server)
  await client.connect()
  try {
    await client.query(command)
  } finally {
    await client.end()
  }
}
