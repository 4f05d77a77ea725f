import { type Kysely, sql } from 'kysely'
import type { CounterRow, Schema } from './schema.ts'
import type { OpenSession } from './session.ts'

type Kind = CounterRow['kind']

/** What one counter counts: up to three names. */
export type CounterKey = readonly [a: string, b?: string, c?: string]

/** Adds to a counter, in the transaction that changes what it counts. */
export async function count(open: OpenSession, kind: Kind, [a, b = '', c = '']: CounterKey, by: number): Promise<void> {
  if (by === 0) return
  await open.read
    .insertInto('counters')
    .values({ kind, a, b, c, slot: open.slot, count: by })
    .onConflict(conflict =>
      conflict
        .columns(['kind', 'a', 'b', 'c', 'slot'])
        .doUpdateSet({ count: sql<number>`counters.count + excluded.count` }),
    )
    .execute()
}

export interface Counted {
  readonly a: string
  readonly b: string
  readonly c: string
  readonly count: number
}

/** All counters of a kind that are not zero. */
export async function counted(db: Kysely<Schema>, kind: Kind): Promise<Counted[]> {
  return await db
    .selectFrom('counters')
    .select(['a', 'b', 'c', sql<number>`cast(sum(count) as bigint)`.as('count')])
    .where('kind', '=', kind)
    .groupBy(['a', 'b', 'c'])
    .having(sql<number>`sum(count)`, '<>', 0)
    .execute()
}
