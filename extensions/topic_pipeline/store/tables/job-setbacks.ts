import { sql, type Updateable } from 'kysely'
import type { ClaimedJob, Setback } from '../../model/job.ts'
import type { JobStage, JobStatus } from '../../model/stages.ts'
import { count } from '../counters.ts'
import type { JobRow } from '../schema.ts'
import type { OpenSession } from '../session.ts'
import type { RetryRules } from '../store.ts'

/** Characters of an error that are kept. */
const MESSAGE = 2000

/** What a setback makes of a job that is ours. */
export async function setBack(
  open: OpenSession,
  job: ClaimedJob,
  setback: Setback,
  now: number,
  rules: RetryRules,
): Promise<JobStatus> {
  const error_message = setback.message.slice(0, MESSAGE)
  const attempts = job.attempts + Number(setback.kind !== 'paused')
  if (setback.kind === 'permanent' || (setback.kind === 'retry' && attempts >= rules.maxAttempts)) {
    await end(open, job, 'FAILED', { attempts, error_message, completed_at: now })
    return 'FAILED'
  }
  const backoff = setback.kind === 'paused' ? now : now + delay(attempts, rules)
  const run_at = Math.max(backoff, setback.notBefore ?? 0)
  await end(open, job, 'PENDING', { attempts, error_message, run_at })
  open.jobsAdded()
  return 'PENDING'
}

/** Ends leases that ran out before `now`, and all of `owner`. */
export async function recoverJobs(open: OpenSession, now: number, rules: RetryRules, owner?: string): Promise<number> {
  const query = open.read
    .selectFrom('jobs')
    .select(['id', 'stage', 'stalls'])
    .where('status', '=', sql.lit('PROCESSING'))
    .where(db => db.or([db('lease_until', '<=', now), ...(owner === undefined ? [] : [db('owner', '=', owner)])]))
    .orderBy('id')
  const stalled = await (open.kind === 'postgres' ? query.forUpdate().skipLocked() : query).execute()
  for (const { id, stage, stalls } of stalled) {
    const more = { stalls: stalls + 1 }
    if (stalls + 1 > rules.maxStalls) {
      const error_message = `Stalled ${stalls + 1} times: its process died or stood still each time`
      await end(open, { id, stage }, 'FAILED', { ...more, error_message, completed_at: now })
    } else {
      // Behind those that wait already, so that a job that kills its process does not come first again.
      await end(open, { id, stage }, 'PENDING', { ...more, run_at: now })
    }
  }
  if (stalled.length > 0) open.jobsAdded()
  return stalled.length
}

/** Ends a claim. */
export async function end(
  open: OpenSession,
  { id, stage }: { readonly id: number; readonly stage: JobStage },
  status: Exclude<JobStatus, 'PROCESSING'>,
  change: Updateable<JobRow>,
): Promise<void> {
  await open.read
    .updateTable('jobs')
    .set({ ...change, status, owner: null, lease_until: null })
    .where('id', '=', id)
    .execute()
  count(open, 'jobs', [stage, 'PROCESSING'], -1)
  count(open, 'jobs', [stage, status], 1)
}

/** Milliseconds until the next attempt after `attempts` failures. */
function delay(attempts: number, { baseDelay, maxDelay, random }: RetryRules): number {
  return Math.round(Math.min(maxDelay, baseDelay * 2 ** Math.min(attempts - 1, 30)) * (0.5 + random() / 2))
}
