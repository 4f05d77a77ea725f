import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'
import { lockSection } from '../tables/exclusive.ts'

/** Adds up what earlier processes have counted in slots of their own. Slots that are being written to are left alone. */
export async function foldCounters(db: Kysely<Schema>): Promise<void> {
  await db.transaction().execute(async read => {
    await lockSection({ kind: 'postgres', read }, 'counters')
    await sql`
      with folded as (
        delete from counters where (kind, a, b, c, slot) in (
          select kind, a, b, c, slot from counters where slot <> 0 for update skip locked
        ) returning kind, a, b, c, count
      )
      insert into counters (kind, a, b, c, slot, count)
      select kind, a, b, c, 0, sum(count) from folded group by kind, a, b, c
      on conflict (kind, a, b, c, slot) do update set count = counters.count + excluded.count`.execute(read)
  })
}
