import { sql } from 'kysely'
import type { CounterRow } from './schema.ts'
import type { OpenSession, Session } from './session.ts'

type Kind = CounterRow['kind']

/** What one counter counts: up to three names. */
export type CounterKey = readonly [a: string, b?: string, c?: string]

/** Adds to a counter, in the transaction that changes what it counts. */
export function count(open: OpenSession, kind: Kind, [a, b = '', c = '']: CounterKey, by: number): void {
  const key = JSON.stringify([kind, a, b, c])
  open.counts.set(key, (open.counts.get(key) ?? 0) + by)
}

/** Writes what was counted since: once, at the end of a transaction. */
export async function writeCounts(open: OpenSession): Promise<void> {
  const counts = [...open.counts].filter(([, by]) => by !== 0)
  open.counts.clear()
  if (counts.length === 0) return
  const rows = counts.map(([key, by]): CounterRow => {
    const [kind, a, b, c] = JSON.parse(key) as [Kind, string, string, string]
    return { kind, a, b, c, slot: open.slot, count: by }
  })
  await open.read
    .insertInto('counters')
    .values(rows)
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
export async function counted(session: Session | OpenSession, kind: Kind): Promise<Counted[]> {
  if ('counts' in session) await writeCounts(session)
  return await session.read
    .selectFrom('counters')
    .select(['a', 'b', 'c', sql<number>`cast(sum(count) as bigint)`.as('count')])
    .where('kind', '=', kind)
    .groupBy(['a', 'b', 'c'])
    .having(sql<number>`sum(count)`, '<>', 0)
    .execute()
}
