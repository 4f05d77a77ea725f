import type { Insertable } from 'kysely'
import type { JobStage } from '../../model/stages.ts'
import { count } from '../counters.ts'
import type { JobRow } from '../schema.ts'
import type { OpenSession } from '../session.ts'
import type { JobDetails } from '../store.ts'
import { targetOf } from './job-rows.ts'

/**
 * Adds a PENDING job. A topic has at most one open EXTRACT and one open ANALYZE job: where there is one, that is it.
 * @returns its id
 */
export async function enqueueJob(
  open: OpenSession,
  stage: JobStage,
  topicId: number | null,
  now: number,
  details: JobDetails = {},
): Promise<number> {
  for (;;) {
    const [id] = await insert(open, stage, [newRow(stage, topicId, now, details)])
    const known = id ?? (await openJob(open, stage, topicId!))
    // The one that was in the way may have ended between the two.
    if (known !== undefined) return known
  }
}

/** Adds a PENDING job for each of these topics, which have none yet. */
export async function enqueueJobs(
  open: OpenSession,
  stage: JobStage,
  topicIds: readonly number[],
  now: number,
  traceparent?: string,
): Promise<void> {
  const details = traceparent === undefined ? {} : { traceparent }
  const rows = topicIds.map(topicId => newRow(stage, topicId, now, details))
  if (rows.length > 0) await insert(open, stage, rows)
}

/** @returns ids of those that are new */
async function insert(open: OpenSession, stage: JobStage, rows: readonly Insertable<JobRow>[]): Promise<number[]> {
  const inserted = await open.read
    .insertInto('jobs')
    .values(rows)
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .execute()
  count(open, 'jobs', [stage, 'PENDING'], inserted.length)
  if (inserted.length > 0) open.jobsAdded()
  return inserted.map(row => row.id)
}

function newRow(
  stage: JobStage,
  topicId: number | null,
  now: number,
  { order, traceparent, runAt }: JobDetails,
): Insertable<JobRow> {
  return {
    stage,
    status: 'PENDING',
    topic_id: topicId,
    generation_order: order === undefined ? null : JSON.stringify(order),
    target: order === undefined ? null : targetOf(order),
    format: order?.format ?? null,
    regenerates: Number(order?.parentId !== undefined),
    run_at: runAt ?? now,
    lease_until: null,
    owner: null,
    error_message: null,
    traceparent: traceparent ?? null,
    created_at: now,
    completed_at: null,
  }
}

/** The PENDING or PROCESSING job of a topic at a stage. */
export async function openJob(open: OpenSession, stage: JobStage, topicId: number): Promise<number | undefined> {
  const row = await open.read
    .selectFrom('jobs')
    .select('id')
    .where('stage', '=', stage)
    .where('topic_id', '=', topicId)
    .where('status', 'in', ['PENDING', 'PROCESSING'])
    .where('target', 'is', null)
    .executeTakeFirst()
  return row?.id
}
