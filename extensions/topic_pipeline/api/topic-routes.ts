import { type Route, RouteError } from '#core/component'
import type { Topic } from '../model/topic.ts'
import { BY_ID, COUNT, clamp, fields, ID, list, MAYBE_ID, MAYBE_TEXT, object, SCORE, TEXT, TIME } from './schemas.ts'
import type { TopicService } from './service.ts'
import { endOf, localTime, startOf } from './times.ts'

/** Of a topic's related ones, so many are told. */
const RELATED = 10
const WEEK = 7 * 86_400_000

interface FeedParameters {
  readonly page: number
  readonly size: number
  readonly categoryId?: number
  readonly sourceType?: string
  readonly dateFrom?: string
  readonly dateTo?: string
  readonly minQuality?: number
  readonly q?: string
}

/** The feed, one topic, its group, and statistics. */
export function topicRoutes(service: TopicService): Route[] {
  const { store, clock } = service
  return [
    {
      method: 'GET',
      path: '/api/topics',
      summary: 'Analysed topics that were not rejected, newest first, page by page',
      query: fields({
        page: { type: 'integer', minimum: 0, maximum: 1e9, default: 0, description: 'From 0.' },
        size: {
          type: 'integer',
          default: 20,
          description: 'Topics a page; 1 to 100, others are taken as the nearest.',
        },
        categoryId: { type: 'integer', description: 'Only topics of this category.' },
        sourceType: { type: 'string', description: 'Only topics found by this scanner.' },
        dateFrom: { type: 'string', description: 'Only topics collected on this day or later, in UTC.' },
        dateTo: { type: 'string', description: 'Only topics collected on this day or earlier, in UTC.' },
        minQuality: { type: 'number', minimum: 0, maximum: 1, description: 'Least quality score.' },
        q: { type: 'string', maxLength: 200, description: 'Only topics with this text in title or summary.' },
      }),
      responses: {
        200: {
          description: 'One page',
          schema: object({ topics: list(ITEM), total: COUNT, page: COUNT, size: COUNT }),
        },
      },
      async handle({ query }) {
        const asked = query as unknown as FeedParameters
        const { page, categoryId, sourceType, dateFrom, dateTo, minQuality, q } = asked
        const size = clamp(asked.size, 1, 100)
        const found = await store.topics.feed({
          page,
          size,
          ...(categoryId !== undefined && { categoryId }),
          ...(sourceType !== undefined && { sourceType }),
          ...(dateFrom !== undefined && { from: startOf('dateFrom', dateFrom) }),
          ...(dateTo !== undefined && { before: endOf('dateTo', dateTo) }),
          ...(minQuality !== undefined && { minQuality }),
          ...(q !== undefined && q.trim() !== '' && { text: q.trim() }),
        })
        return { body: { topics: found.topics.map(itemOf), total: found.total, page, size } }
      },
    },
    {
      method: 'GET',
      path: '/api/topics/:id',
      summary: 'One topic with its text, its scores and why it has them, and related topics',
      params: BY_ID,
      responses: { 200: { description: 'The topic', schema: DETAIL }, 404: { description: 'There is none' } },
      async handle({ params }) {
        const topic = await findTopic(service, Number(params.id))
        const category = topic.categoryId === null ? undefined : await store.categories.get(topic.categoryId)
        const related = await service.related(topic, RELATED)
        return {
          body: { ...detailOf(topic), category_name: category?.name ?? null, relatedTopics: related.map(briefOf) },
        }
      },
    },
    {
      method: 'POST',
      path: '/api/topics/:id/reanalyze',
      summary: 'Analyses a topic anew, a rejected one too',
      params: BY_ID,
      responses: {
        200: { description: 'It will be analysed', schema: object({ id: ID, queued: { type: 'boolean' } }) },
        404: { description: 'There is no such topic' },
        409: { description: 'Its text was never extracted' },
      },
      async handle({ params }) {
        const topic = await findTopic(service, Number(params.id))
        if (!(await store.topics.reanalyze(topic.id, clock.now()))) {
          throw new RouteError(409, 'NOT_EXTRACTED', `Topic ${topic.id} has no extracted text to analyse`)
        }
        service.wake()
        return { body: { id: topic.id, queued: true } }
      },
    },
    {
      method: 'GET',
      path: '/api/groups/:id',
      summary: 'A group of topics about the same thing, the best first',
      params: { type: 'object', properties: { id: { type: 'string', maxLength: 64 } } },
      responses: {
        200: { description: 'The group', schema: object({ group_id: TEXT, size: COUNT, topics: list(ITEM) }) },
        404: { description: 'There is none' },
      },
      async handle({ params }) {
        const group = await store.groups.get(params.id!)
        if (group === undefined) throw new RouteError(404, 'NOT_FOUND', `No group ${JSON.stringify(params.id)}`)
        const topics = await store.topics.ofGroup(group.id, 100)
        return { body: { group_id: group.id, size: group.size, topics: topics.map(itemOf) } }
      },
    },
    {
      method: 'GET',
      path: '/api/stats',
      summary: 'How many topics and jobs there are',
      responses: { 200: { description: 'The numbers', schema: STATISTICS } },
      async handle() {
        const [topics, counts] = await Promise.all([store.topics.statistics(clock.now() - WEEK), store.jobs.counts()])
        const jobs = (status: string) =>
          counts.filter(each => each.status === status).reduce((sum, each) => sum + each.count, 0)
        return {
          body: {
            totalTopics: topics.total,
            topicsThisWeek: topics.week,
            pendingJobs: jobs('PENDING'),
            failedJobs: jobs('FAILED'),
            byCategory: topics.byCategory,
            bySource: topics.bySource,
          },
        }
      },
    },
  ]
}

/** @throws {RouteError} 404 */
export async function findTopic({ store }: TopicService, id: number): Promise<Topic> {
  const topic = await store.topics.get(id)
  if (topic === undefined) throw new RouteError(404, 'NOT_FOUND', `No topic ${id}`)
  return topic
}

function itemOf(topic: Topic) {
  return {
    ...commonOf(topic),
    collected_at: localTime(topic.collectedAt),
    category_id: topic.categoryId,
  }
}

function commonOf(topic: Topic) {
  return {
    id: topic.id,
    title: topic.title,
    url: topic.url,
    source_type: topic.sourceType,
    source_date: localTime(topic.sourceDate),
    pipeline_stage: topic.stage,
    quality_score: topic.qualityScore,
    relevance_score: topic.relevanceScore,
    summary: topic.summary,
    tags: topic.tags.join(','),
  }
}

function detailOf(topic: Topic) {
  return {
    ...commonOf(topic),
    extracted_content: topic.extractedContent,
    group_id: topic.groupId,
    author: topic.author ?? null,
    author_url: topic.authorUrl ?? null,
    licence: topic.licence ?? null,
    extraction_status: topic.extractionStatus,
    language: topic.language,
    rejection_reason: topic.rejectionReason,
    engagement: topic.engagement ?? null,
    reasons: topic.reasons,
  }
}

function briefOf({ id, title, sourceType }: Topic) {
  return { id, title, source_type: sourceType }
}

const COMMON = {
  id: ID,
  title: TEXT,
  url: TEXT,
  source_type: TEXT,
  source_date: TIME,
  pipeline_stage: TEXT,
  quality_score: SCORE,
  relevance_score: SCORE,
  summary: MAYBE_TEXT,
  tags: { type: 'string', description: 'Separated by commas.' },
}
const ITEM = object({ ...COMMON, collected_at: TIME, category_id: MAYBE_ID })
const DETAIL = object({
  ...COMMON,
  extracted_content: MAYBE_TEXT,
  group_id: MAYBE_TEXT,
  author: MAYBE_TEXT,
  author_url: MAYBE_TEXT,
  licence: MAYBE_TEXT,
  extraction_status: TEXT,
  language: MAYBE_TEXT,
  rejection_reason: MAYBE_TEXT,
  engagement: { type: ['object', 'null'] },
  reasons: { type: ['object', 'null'] },
  category_name: MAYBE_TEXT,
  relatedTopics: list(object({ id: ID, title: TEXT, source_type: TEXT })),
})
const STATISTICS = object({
  totalTopics: COUNT,
  topicsThisWeek: COUNT,
  pendingJobs: COUNT,
  failedJobs: COUNT,
  byCategory: list(object({ name: TEXT, id: ID, count: COUNT })),
  bySource: list(object({ name: TEXT, count: COUNT })),
})
