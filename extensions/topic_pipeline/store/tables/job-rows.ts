import type { Selectable } from 'kysely'
import type { GenerationOrder, Job } from '../../model/job.ts'
import type { JobRow } from '../schema.ts'

export function jobOf(row: Selectable<JobRow>): Job {
  return {
    id: row.id,
    stage: row.stage,
    status: row.status,
    topicId: row.topic_id,
    order: row.generation_order === null ? null : JSON.parse(row.generation_order),
    attempts: row.attempts,
    stalls: row.stalls,
    runAt: row.run_at,
    leaseUntil: row.lease_until,
    fence: row.fence,
    owner: row.owner,
    errorMessage: row.error_message,
    traceparent: row.traceparent,
    createdAt: row.created_at,
    completedAt: row.completed_at,
  }
}

/** What drafts and GENERATE jobs are about, in one column: a comparison with NULL would never hold. */
export function targetOf({ topicId, groupId }: Pick<GenerationOrder, 'topicId' | 'groupId'>): string {
  return topicId === null ? `group:${groupId}` : `topic:${topicId}`
}
