import { Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import { tempDir } from '#core/testing'
import { SqliteClient } from './sqlite-client.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

it('a full disk is said to be one, undoes the transaction, and is no obstacle once there is room', async () => {
  await using dir = await tempDir()
  const client = new SqliteClient(dir.file('full.sqlite'))
  const db = new Kysely<unknown>({ dialect: sqliteDialect(client, 'write') })
  await sql`create table notes (text text)`.execute(db)
  await sql`pragma max_page_count = 10`.execute(db)
  const add = (text: string) => db.transaction().execute(trx => sql`insert into notes values (${text})`.execute(trx))
  const count = async () => (await sql<{ n: number }>`select count(*) as n from notes`.execute(db)).rows[0]!.n

  const full = db.transaction().execute(async trx => {
    await sql`insert into notes values ('small')`.execute(trx)
    await sql`insert into notes values (${'x'.repeat(200_000)})`.execute(trx)
  })
  await expect(full).rejects.toMatchObject({
    name: 'RetryableError',
    message: 'The disk on which the data directory is has no room left',
  })
  expect(await count()).toBe(0)
  await sql`pragma max_page_count = 1000`.execute(db)
  await add('x'.repeat(200_000))
  expect(await count()).toBe(1)
  await db.destroy()
  await client.close()
})
