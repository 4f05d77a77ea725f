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
  { order, traceparent, runAt }: JobDetails = {},
): Promise<number> {
  const row: Insertable<JobRow> = {
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
  const inserted = await open.read
    .insertInto('jobs')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted === undefined) return (await openJob(open, stage, topicId!))!
  await count(open, 'jobs', [stage, 'PENDING'], 1)
  open.jobsAdded()
  return inserted.id
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
