import { sql } from 'kysely'
import { count, counted } from '../counters.ts'
import type { OpenSession, Session } from '../session.ts'
import type { JobTable, Tables } from '../store.ts'
import { claimJobs, stillOurs } from './job-claims.ts'
import { enqueueJob, openJob } from './job-queue.ts'
import { jobOf } from './job-rows.ts'
import { end, recoverJobs, setBack } from './job-setbacks.ts'

/** `tables`: of an open transaction, for effects. */
export function jobTable(session: Session, tables: (open: OpenSession) => Tables): JobTable {
  const { read } = session
  return {
    enqueue: (stage, topicId, now, more) => session.write(open => enqueueJob(open, stage, topicId, now, more)),

    claim: options => session.write(open => claimJobs(open, options)),

    renew: (jobs, leaseUntil) =>
      session.write(async open => {
        const lost: number[] = []
        for (const job of jobs) {
          const { numUpdatedRows } = await open.read
            .updateTable('jobs')
            .set({ lease_until: leaseUntil })
            .where('id', '=', job.id)
            .where('fence', '=', job.fence)
            .where('status', '=', 'PROCESSING')
            .executeTakeFirst()
          if (numUpdatedRows === 0n) lost.push(job.id)
        }
        return lost
      }),

    finish: (job, now, effects) =>
      session.write(async open => {
        if (!(await stillOurs(open, job))) return false
        await end(open, job, 'COMPLETED', { completed_at: now, error_message: null })
        await effects(tables(open))
        return true
      }),

    fail: (job, setback, now, rules) =>
      session.write(async open => {
        if (!(await stillOurs(open, job))) return undefined
        return await setBack(open, job, setback, now, rules)
      }),

    release: jobs =>
      session.write(async open => {
        for (const job of jobs) {
          if (!(await stillOurs(open, job))) continue
          await end(open, job, 'PENDING', {})
          open.jobsAdded()
        }
      }),

    recover: (now, rules, owner) => session.write(open => recoverJobs(open, now, rules, owner)),

    async nextDue(stages) {
      if (stages.length === 0) return undefined
      const times = [
        ...stages.map(stage => sql`(select min(run_at) from jobs where status = 'PENDING' and stage = ${stage})`),
        sql`(select min(lease_until) from jobs where status = 'PROCESSING' and stage in (${sql.join(stages)}))`,
      ].map((time, i) => sql`${time} as ${sql.ref(`time${i}`)}`)
      const { rows } = await sql<Record<string, number | null>>`select ${sql.join(times)}`.execute(read)
      const next = Math.min(...Object.values(rows[0]!).map(time => time ?? Number.POSITIVE_INFINITY))
      return Number.isFinite(next) ? next : undefined
    },

    async get(id) {
      const row = await read.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()
      return row && jobOf(row)
    },

    retry: (id, now) => session.write(open => retryJob(open, id, now)),

    async counts() {
      const counts = await counted(session, 'jobs')
      return counts
        .map(({ a, b, count }) => ({ stage: a, status: b, count }) as Awaited<ReturnType<JobTable['counts']>>[number])
        .sort((x, y) => x.stage.localeCompare(y.stage) || x.status.localeCompare(y.status))
    },

    async failures(limit) {
      const rows = await read
        .selectFrom('jobs')
        .leftJoin('topics', 'topics.id', 'jobs.topic_id')
        .selectAll('jobs')
        .select(['topics.title as topicTitle', 'topics.url as topicUrl'])
        .where('jobs.status', '=', sql.lit('FAILED'))
        .orderBy('jobs.completed_at', 'desc')
        .orderBy('jobs.id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(row => ({ ...jobOf(row), topicTitle: row.topicTitle, topicUrl: row.topicUrl }))
    },

    prune: (completedBefore, failedBefore) =>
      session.write(async open => {
        let pruned = 0
        for (const [status, before] of [
          ['COMPLETED', completedBefore],
          ['FAILED', failedBefore],
        ] as const) {
          const gone = await open.read
            .deleteFrom('jobs')
            .where('status', '=', sql.lit(status))
            .where('completed_at', '<', before)
            .returning('stage')
            .execute()
          for (const stage of new Set(gone.map(row => row.stage))) {
            count(open, 'jobs', [stage, status], -gone.filter(row => row.stage === stage).length)
          }
          pruned += gone.length
        }
        return pruned
      }),
  }
}

/** Where the topic has another open job of this stage by now, that one does the work. */
async function retryJob(open: OpenSession, id: number, now: number): Promise<boolean> {
  const query = open.read.selectFrom('jobs').selectAll().where('id', '=', id).where('status', '=', 'FAILED')
  const job = await (open.kind === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
  if (job === undefined) return false
  if (job.target === null && job.topic_id !== null) {
    const other = await openJob(open, job.stage, job.topic_id)
    if (other !== undefined) return false
  }
  await open.read
    .updateTable('jobs')
    .set({ status: 'PENDING', attempts: 0, stalls: 0, run_at: now, completed_at: null })
    .where('id', '=', id)
    .execute()
  count(open, 'jobs', [job.stage, 'FAILED'], -1)
  count(open, 'jobs', [job.stage, 'PENDING'], 1)
  open.jobsAdded()
  return true
}
