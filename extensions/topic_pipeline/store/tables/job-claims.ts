import { sql } from 'kysely'
import type { ClaimedJob } from '../../model/job.ts'
import { count } from '../counters.ts'
import type { OpenSession } from '../session.ts'
import type { ClaimOptions } from '../store.ts'
import { jobOf } from './job-rows.ts'

/** Takes PENDING jobs that are due. On PostgreSQL rows that another process is just taking are passed over. */
export async function claimJobs(open: OpenSession, options: ClaimOptions): Promise<ClaimedJob[]> {
  const { stages, owner, now, leaseUntil, limit } = options
  if (stages.length === 0 || limit <= 0) return []
  const due = open.read
    .selectFrom('jobs')
    .select('id')
    .where('status', '=', sql.lit('PENDING'))
    .where('stage', 'in', [...stages])
    .where('run_at', '<=', now)
    .orderBy('run_at')
    .orderBy('id')
    .limit(limit)
  const rows = await open.read
    .with('due', () => (open.kind === 'postgres' ? due.forUpdate().skipLocked() : due))
    .updateTable('jobs')
    .set({ status: 'PROCESSING', owner, lease_until: leaseUntil, fence: sql<number>`fence + 1` })
    .where('id', 'in', db => db.selectFrom('due').select('id'))
    .returningAll()
    .execute()
  for (const stage of stages) {
    const claimed = rows.filter(row => row.stage === stage).length
    count(open, 'jobs', [stage, 'PENDING'], -claimed)
    count(open, 'jobs', [stage, 'PROCESSING'], claimed)
  }
  return rows.sort((a, b) => a.run_at - b.run_at || a.id - b.id).map(row => jobOf(row) as ClaimedJob)
}

/** Keeps others from it until the end of the transaction. @returns whether it is still the claimer's */
export async function stillOurs(open: OpenSession, job: ClaimedJob): Promise<boolean> {
  const query = open.read
    .selectFrom('jobs')
    .select('id')
    .where('id', '=', job.id)
    .where('fence', '=', job.fence)
    .where('status', '=', 'PROCESSING')
  return (await (open.kind === 'postgres' ? query.forUpdate() : query).executeTakeFirst()) !== undefined
}
