import { sql } from 'kysely'
import type { OpenSession } from '../session.ts'

/** Sections that only one transaction at a time is in. The numbers name PostgreSQL's advisory locks. */
const SECTIONS = { adding: 1, grouping: 2, generation: 3, counters: 4 } as const
export type Section = keyof typeof SECTIONS

/** First half of the lock's key, so that locks of other programs in the same database do not matter. */
const OURS = 0x746f7069

/** Waits until nobody else is in the section; it ends with the transaction. The embedded store has one writer anyway. */
export async function lockSection(open: Pick<OpenSession, 'kind' | 'read'>, section: Section): Promise<void> {
  if (open.kind === 'sqlite') return
  await sql`select pg_advisory_xact_lock(${sql.lit(OURS)}, ${sql.lit(SECTIONS[section])})`.execute(open.read)
}
