import { type Route, RouteError } from '#core/component'
import {
  BY_ID,
  COUNT,
  clamp,
  FLAG,
  fields,
  ID,
  limit,
  list,
  MAYBE_ID,
  MAYBE_TEXT,
  object,
  TEXT,
  TIME,
} from './schemas.ts'
import type { TopicService } from './service.ts'
import { localTime } from './times.ts'

/** The monitor: jobs, failures, scans, stages; and what starts them again. */
export function pipelineRoutes(service: TopicService): Route[] {
  const { store, clock } = service
  const most = (query: Readonly<Record<string, unknown>>) => clamp(query.limit, 1, 100)
  return [
    {
      method: 'GET',
      path: '/api/scanners',
      summary: 'The sources that topics can come from',
      responses: { 200: { description: 'The scanners', schema: list(object({ type: TEXT, displayName: TEXT })) } },
      handle: () => ({ body: service.scanners.map(({ type, displayName }) => ({ type, displayName })) }),
    },
    {
      method: 'GET',
      path: '/api/pipeline/status',
      summary: 'How many jobs there are, by stage and status',
      responses: {
        200: {
          description: 'The numbers',
          schema: object({
            jobCounts: list(object({ stage: TEXT, status: TEXT, count: COUNT })),
            summary: object({ pending: COUNT, processing: COUNT, completed: COUNT, failed: COUNT }),
          }),
        },
      },
      async handle() {
        const jobCounts = await store.jobs.counts()
        const summary = { pending: 0, processing: 0, completed: 0, failed: 0 }
        for (const { status, count } of jobCounts) summary[status.toLowerCase() as keyof typeof summary] += count
        return { body: { jobCounts, summary } }
      },
    },
    {
      method: 'GET',
      path: '/api/pipeline/errors',
      summary: 'Jobs that failed for good, newest first',
      query: fields({ limit: limit(100) }),
      responses: { 200: { description: 'The jobs', schema: list(FAILURE) } },
      async handle({ query }) {
        const failures = await store.jobs.failures(most(query))
        return {
          body: failures.map(each => ({
            id: each.id,
            stage: each.stage,
            topic_id: each.topicId,
            error_message: each.errorMessage,
            retry_count: each.attempts,
            created_at: localTime(each.createdAt),
            topic_title: each.topicTitle,
            topic_url: each.topicUrl,
          })),
        }
      },
    },
    {
      method: 'POST',
      path: '/api/pipeline/jobs/:id/retry',
      summary: 'Gives a failed job all its attempts again',
      params: BY_ID,
      responses: {
        200: { description: 'It will run', schema: object({ id: ID, queued: FLAG }) },
        404: { description: 'There is no such failed job' },
      },
      async handle({ params }) {
        const id = Number(params.id)
        if (!(await store.jobs.retry(id, clock.now()))) throw new RouteError(404, 'NOT_FOUND', `No failed job ${id}`)
        service.wake()
        return { body: { id, queued: true } }
      },
    },
    {
      method: 'GET',
      path: '/api/pipeline/scan-history',
      summary: 'Scans of sources, newest first, with what they found and why they did not',
      query: fields({ limit: limit(100) }),
      responses: { 200: { description: 'The scans', schema: list(SCAN) } },
      async handle({ query }) {
        const runs = await store.scans.history(most(query))
        return {
          body: runs.map(run => ({
            id: run.id,
            source: run.source,
            topics_found: run.topicsFound,
            topics_new: run.topicsNew,
            errors: run.errors,
            error_details: run.errorDetails,
            started_at: localTime(run.startedAt),
            completed_at: localTime(run.completedAt),
            category_name: run.categoryName,
            category_id: run.categoryId,
            status: run.status,
            requests: run.requests,
            not_modified: run.notModified,
            quota_remaining: run.quotaRemaining,
          })),
        }
      },
    },
    {
      method: 'POST',
      path: '/api/pipeline/scan',
      summary: 'Scans all enabled categories now',
      responses: {
        200: { description: 'Whether scans were started', schema: object({ triggered: FLAG, message: TEXT }) },
      },
      handle: async () => ({ body: await service.scanAll() }),
    },
    {
      method: 'GET',
      path: '/api/pipeline/topics-by-stage',
      summary: 'How many topics are at each stage',
      responses: {
        200: { description: 'All four stages', schema: list(object({ pipeline_stage: TEXT, count: COUNT })) },
      },
      async handle() {
        const stages = await store.topics.byStage()
        return { body: stages.map(({ stage, count }) => ({ pipeline_stage: stage, count })) }
      },
    },
    {
      method: 'GET',
      path: '/api/pipeline/rejected',
      summary: 'Topics that were rejected, newest first, and why',
      query: fields({ limit: limit(100) }),
      responses: { 200: { description: 'The topics', schema: list(REJECTED) } },
      async handle({ query }) {
        const { topics } = await store.topics.feed({ page: 0, size: most(query), stage: 'rejected' })
        return {
          body: topics.map(({ id, title, url, sourceType, rejectionReason, reasons }) => ({
            id,
            title,
            url,
            source_type: sourceType,
            rejection_reason: rejectionReason,
            reasons,
          })),
        }
      },
    },
  ]
}

const FAILURE = object({
  id: ID,
  stage: TEXT,
  topic_id: MAYBE_ID,
  error_message: MAYBE_TEXT,
  retry_count: COUNT,
  created_at: TIME,
  topic_title: MAYBE_TEXT,
  topic_url: MAYBE_TEXT,
})
const SCAN = object({
  id: ID,
  source: TEXT,
  topics_found: COUNT,
  topics_new: COUNT,
  errors: COUNT,
  error_details: MAYBE_TEXT,
  started_at: TIME,
  completed_at: TIME,
  category_name: MAYBE_TEXT,
  category_id: MAYBE_ID,
  status: TEXT,
  requests: COUNT,
  not_modified: COUNT,
  quota_remaining: MAYBE_ID,
})
const REJECTED = object({
  id: ID,
  title: TEXT,
  url: TEXT,
  source_type: TEXT,
  rejection_reason: MAYBE_TEXT,
  reasons: { type: ['object', 'null'] },
})
