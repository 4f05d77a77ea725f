import { sql } from 'kysely'
import type { Session } from '../session.ts'
import type { MemoryTable } from '../store.ts'

export function memoryTable(session: Session): MemoryTable {
  const { read } = session
  return {
    async get(section, key) {
      const row = await read
        .selectFrom('memory')
        .select('value')
        .where('section', '=', section)
        .where('key', '=', key)
        .executeTakeFirst()
      return row && JSON.parse(row.value)
    },

    set: (section, key, value, now) =>
      session.write(async open => {
        await open.read
          .insertInto('memory')
          .values({ section, key, value: JSON.stringify(value ?? null), set_at: now })
          .onConflict(conflict =>
            conflict
              .columns(['section', 'key'])
              .doUpdateSet({ value: sql<string>`excluded.value`, set_at: sql<number>`excluded.set_at` }),
          )
          .execute()
      }),

    delete: (section, key) =>
      session.write(async open => {
        await open.read.deleteFrom('memory').where('section', '=', section).where('key', '=', key).execute()
      }),

    prune: (section, before) =>
      session.write(async open => {
        await open.read.deleteFrom('memory').where('section', '=', section).where('set_at', '<', before).execute()
      }),
  }
}
