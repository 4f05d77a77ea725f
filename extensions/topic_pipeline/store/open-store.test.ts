import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { RecordingLogger, tempDir, until } from '#core/testing'
import { ON_POSTGRES, POSTGRES_URL, postgres, SQLITE, type TestDatabase } from './conformance/place.test-support.ts'
import { found, NOW, recount, upload, vector } from './conformance/samples.test-support.ts'
import { openStore } from './open-store.ts'
import { StoreError } from './store-error.ts'

const logger = new RecordingLogger()

describe('openStore on SQLite', () => {
  opens(SQLITE)

  it('keeps everything in one file of the data directory, which it makes', async () => {
    await using dir = await tempDir()
    const dataDir = dir.file('deep', 'topics')
    const store = await openStore({ dataDir, logger })
    expect(store.name).toBe(dir.file('deep', 'topics', 'topics.sqlite'))
    expect(store.vectors.available).toBe(true)
    await store.close()
    await expect(store.topics.get(1)).rejects.toThrow('The database is closed')
    await store.close()
  })

  it.each([
    [
      'a data directory that cannot be made',
      async (path: string) => writeFile(path, ''),
      /^Could not make the data directory/,
    ],
    [
      'a file that is no database',
      async (path: string) => {
        await mkdir(path)
        await writeFile(`${path}/topics.sqlite`, 'not a database '.repeat(1000))
      },
      /^Could not open .*topics\.sqlite: file is not a database$/,
    ],
  ])('refuses %s', async (_, spoil, message) => {
    await using dir = await tempDir()
    await spoil(dir.file('data'))
    const opened = openStore({ dataDir: dir.file('data'), logger })
    await expect(opened).rejects.toThrow(message)
    await expect(opened).rejects.toBeInstanceOf(StoreError)
  })

  it('says that the file is damaged, and what to do', async () => {
    await using dir = await tempDir()
    const store = await openStore({ dataDir: dir.path, logger })
    await store.topics.add(
      Array.from({ length: 500 }, (_, i) => found(i)),
      null,
      NOW,
    )
    await store.close()
    const path = dir.file('topics.sqlite')
    const bytes = await readFile(path)
    // All but the first pages, which say what tables there are.
    bytes.fill(0xa5, bytes.length >> 1)
    await writeFile(path, bytes)
    const again = await openStore({ dataDir: dir.path, logger })
    const read = async () => {
      for (let id = 1; id <= 500; id++) await again.topics.get(id)
    }
    await expect(read()).rejects.toThrow('topics.sqlite in the data directory is damaged')
    await again.close()
  })

  it('is one owner’s alone, if that is wanted', async () => {
    await using dir = await tempDir()
    const options = { dataDir: dir.path, logger, alone: true }
    const first = await openStore(options)
    await expect(openStore(options)).rejects.toThrow(
      `Could not open the data directory ${dir.path}: another topic pipeline uses it; to share the work, set database`,
    )
    await first.close()
    const second = await openStore(options)
    expect(await second.topics.get(1)).toBeUndefined()
    await second.close()
  })

  it('refuses what a newer version has written', async () => {
    await using dir = await tempDir()
    const store = await openStore({ dataDir: dir.path, logger })
    await store.close()
    const file = new DatabaseSync(dir.file('topics.sqlite'))
    file.exec("insert into kysely_migration values ('0099-later', '2030-01-01')")
    file.close()
    await expect(openStore({ dataDir: dir.path, logger })).rejects.toThrow(
      `Could not open ${dir.file('topics.sqlite')}: a newer version has changed it (0099-later)`,
    )
  })

  it('answers what is big without holding the event loop', async () => {
    await using place = await SQLITE.create()
    const store = await place.open()
    const content = 'x'.repeat(100_000)
    await store.transaction(async tables => {
      for (let i = 0; i < 100; i++) await tables.uploads.create(upload({ content }), NOW)
    })
    let turns = 0
    const ticker = setInterval(() => turns++, 0)
    const { uploads } = await store.uploads.list(100, 0)
    clearInterval(ticker)
    expect(uploads.reduce((sum, each) => sum + each.content.length, 0)).toBe(10_000_000)
    // In parts of 256 KiB there are about 40.
    expect(turns).toBeGreaterThan(10)
  })
})

describe.skipIf(POSTGRES_URL === undefined)(`openStore on ${ON_POSTGRES}`, () => {
  opens(postgres(POSTGRES_URL!))

  it('says what stands in for it without credentials', async () => {
    await using place = await postgres(POSTGRES_URL!).create()
    const { name } = await place.open()
    const { host, pathname } = new URL(place.options.database!)
    expect(name).toBe(`postgres://${host}${pathname}`)
  })

  it('has vectors exactly when the server has pgvector, and says so when not', async () => {
    await using place = await postgres(POSTGRES_URL!).create()
    const { vectors } = await place.open()
    const { rowCount } = await query(
      place.options.database!,
      "select 1 from pg_available_extensions where name = 'vector'",
    )
    expect(vectors.available).toBe(rowCount === 1)
  })

  it('says that the server is away when nobody answers any more', async () => {
    await using place = await postgres(POSTGRES_URL!).create()
    const store = await place.open()
    const { pathname } = new URL(place.options.database!)
    const name = pathname.slice(1)
    // Nobody gets in, as while the server starts anew.
    await query(POSTGRES_URL!, `alter database ${name} allow_connections false`)
    await query(POSTGRES_URL!, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    const away = expect.objectContaining({ name: 'RetryableError', message: 'The database cannot be reached' })
    await until(async () => {
      const error = await store.topics.get(1).catch(thrown => thrown)
      return away.asymmetricMatch(error)
    })
    await query(POSTGRES_URL!, `alter database ${name} allow_connections true`)
    expect(await store.topics.get(1)).toBeUndefined()
  })

  it('goes on with a new connection when the server has ended one, even in the middle of a transaction', async () => {
    await using place = await postgres(POSTGRES_URL!).create()
    const store = await place.open()
    const endAll =
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
    const broken = store.transaction(async tables => {
      await tables.memory.set('a', 'b', 1, NOW)
      await query(place.options.database!, endAll)
      for (let i = 0; ; i++) await tables.memory.set('a', 'c', i, NOW)
    })
    await expect(broken).rejects.toThrow()
    expect(await store.memory.get('a', 'b')).toBeUndefined()
    await store.memory.set('a', 'b', 2, NOW)
    expect(await store.memory.get('a', 'b')).toBe(2)
  })

  it('lets stores share a database, each in a schema of its own', async () => {
    await using place = await postgres(POSTGRES_URL!).create()
    const { database } = place.options
    await query(database!, 'create schema one; create schema two')
    const open = (schema: string) =>
      openStore({ database: `${database}?options=-csearch_path%3D${schema}`, dataDir: '', logger })
    const [one, two] = [await open('one'), await open('two')]
    await one.topics.add([found(1)], null, NOW)
    expect(await one.topics.byStage()).toContainEqual({ stage: 'scanned', count: 1 })
    expect(await two.topics.byStage()).toContainEqual({ stage: 'scanned', count: 0 })
    await Promise.all([one.close(), two.close()])
  })

  it('adds up what processes have counted that are gone', async () => {
    await using place = await postgres(POSTGRES_URL!).create()
    for (let i = 0; i < 3; i++) {
      const store = await place.open()
      await store.topics.add([found(i)], null, NOW)
      await store.close()
    }
    const store = await place.open()
    const { rows } = await query(place.options.database!, "select slot, count from counters where kind = 'topics'")
    expect(rows).toEqual([{ slot: '0', count: '3' }])
    const { counted, really } = await recount(store)
    expect(counted).toEqual(really)
  })
})

it('refuses a PostgreSQL that is not there, and keeps the password to itself', async () => {
  // Port 1 answers nobody.
  const opened = openStore({ database: 'postgres://ann:s3cret@127.0.0.1:1/topics', dataDir: '', logger })
  await expect(opened).rejects.toThrow('Could not open postgres://127.0.0.1:1/topics: connect ECONNREFUSED 127.0.0.1:1')
  await expect(opened).rejects.toBeInstanceOf(StoreError)
})

function opens(database: TestDatabase): void {
  it('keeps everything from one run to the next', async () => {
    await using place = await database.create()
    const first = await place.open()
    await first.topics.add([found(1)], null, NOW)
    await first.uploads.create(upload(), NOW)
    await first.vectors.set('upload', 1, 'm', vector(0), NOW)
    await first.close()
    const second = await place.open()
    expect(await second.topics.get(1)).toMatchObject(found(1))
    expect(await second.jobs.counts()).toEqual([{ stage: 'EXTRACT', status: 'PENDING', count: 1 }])
    const near = await second.vectors.nearest('upload', 'm', vector(0), 1)
    expect(near).toEqual(second.vectors.available ? [{ id: 1, similarity: 1 }] : [])
  })

  it('can be begun by several at the same time on a new database', async () => {
    await using place = await database.create()
    const stores = await Promise.all(Array.from({ length: 4 }, () => place.open()))
    for (const [i, store] of stores.entries()) expect(await store.topics.add([found(i)], null, NOW)).toBe(1)
    expect(await stores[0]!.topics.byStage()).toContainEqual({ stage: 'scanned', count: 4 })
  })
}

async function query(url: string, sql: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(sql)
  } finally {
    await client.end()
  }
}
