import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases, type TestDatabase } from './databases.test-support.ts'
import { openApi } from './rig.test-support.ts'
import { DAY, seedTopic } from './seed.test-support.ts'

/** The fake clock's now lies in this week. */
const NOON = (day: number) => Date.UTC(2026, 10, day, 12)

describe.each(databases())('topics on $name', ({ open }) => {
  let database: TestDatabase
  let api: Awaited<ReturnType<typeof openApi>>
  let first: number
  let group: string
  const ids: Record<string, number> = {}

  beforeAll(async () => {
    database = await open()
    const { store } = database
    api = await openApi(store)
    first = await store.categories.create(category('Observability'), NOON(1))
    const second = await store.categories.create(category('Databases'), NOON(1))
    const add = async (name: string, day: number, more: object = {}) => {
      ids[name] = await seedTopic(store, { title: name, collectedAt: NOON(day), categoryId: first, ...more })
    }
    await add('one', 16)
    await add('two', 17, { sourceType: 'reddit', qualityScore: 0.55 })
    await add('three', 18, { categoryId: second })
    await add('four', 19, { sourceType: 'medium', tags: [] })
    await add('gone', 19, { stage: 'rejected' })
    await add('raw', 19, { stage: 'extracted' })
    await add('new', 19, { stage: 'scanned' })
    const vector = new Float32Array(8).fill(1 / Math.sqrt(8))
    group = await store.groups.create('test', vector, [ids.one!, ids.two!], NOON(17))
    api.setTime(NOON(20))
  })
  afterAll(async () => {
    await api[Symbol.asyncDispose]()
    await database.close()
  })

  const titles = async (query: string) => {
    const { status, body } = await api.get(`/api/topics${query}`)
    return status === 200 ? body.topics.map((topic: { title: string }) => topic.title) : [status, body.code, body.error]
  }

  test('the feed has exactly the documented fields, defaults and order', async () => {
    const { body } = await api.get('/api/topics')
    expect({ ...body, topics: body.topics.slice(0, 1) }).toEqual({
      topics: [
        {
          id: ids.four,
          title: 'four',
          url: expect.stringMatching(/^https:\/\/example\.org\/\d+$/),
          source_type: 'medium',
          source_date: '2026-11-18T09:00:00',
          collected_at: '2026-11-19T12:00:00',
          pipeline_stage: 'analyzed',
          quality_score: 0.8,
          relevance_score: 0.9,
          summary: 'About four',
          tags: '',
          category_id: first,
        },
      ],
      total: 4,
      page: 0,
      size: 20,
    })
    expect(body.topics.map((topic: { title: string }) => topic.title)).toEqual(['four', 'three', 'two', 'one'])
    expect(body.topics[3].tags).toBe('otel,tracing')
  })

  test.each([
    ['?size=2', ['four', 'three']],
    ['?size=2&page=1', ['two', 'one']],
    ['?size=2&page=2', []],
    ['?size=0', ['four']],
    ['?size=-5', ['four']],
    ['?size=1000', ['four', 'three', 'two', 'one']],
    ['?sourceType=reddit', ['two']],
    ['?sourceType=devto', ['three', 'one']],
    ['?sourceType=none', []],
    ['?minQuality=0.6', ['four', 'three', 'one']],
    ['?minQuality=0', ['four', 'three', 'two', 'one']],
    ['?dateFrom=2026-11-18', ['four', 'three']],
    ['?dateTo=2026-11-17', ['two', 'one']],
    ['?dateFrom=2026-11-17&dateTo=2026-11-18', ['three', 'two']],
    ['?dateFrom=2026-11-17T12:00:00', ['four', 'three', 'two']],
    ['?dateTo=2026-11-17T12:00:00Z', ['two', 'one']],
    ['?dateFrom=2026-11-17T13:30:00%2B02:00', ['four', 'three', 'two']],
    ['?q=THREE', ['three']],
    ['?q=%25', []],
    ['?page=-1', [400, 'INVALID_REQUEST', 'Invalid query: page must be >= 0']],
    ['?page=x', [400, 'INVALID_REQUEST', 'Invalid query: page must be integer']],
    ['?minQuality=1.1', [400, 'INVALID_REQUEST', 'Invalid query: minQuality must be <= 1']],
    ['?categoryId=first', [400, 'INVALID_REQUEST', 'Invalid query: categoryId must be integer']],
    ['?dateFrom=yesterday', [400, 'INVALID_REQUEST', 'Invalid query: dateFrom must be an ISO date such as 2026-11-19']],
    ['?dateTo=2026-02-31', [400, 'INVALID_REQUEST', 'Invalid query: dateTo must be an ISO date such as 2026-11-19']],
  ])('%s', async (query, expected) => {
    expect(await titles(query)).toEqual(expected)
  })

  test('by category', async () => {
    expect(await titles(`?categoryId=${first}`)).toEqual(['four', 'two', 'one'])
    expect(await titles(`?categoryId=${first}&minQuality=0.6&sourceType=devto`)).toEqual(['one'])
  })

  test('one topic tells its text, its reasons and its relatives', async () => {
    const { status, body } = await api.get(`/api/topics/${ids.one}`)
    expect([status, body]).toEqual([
      200,
      {
        id: ids.one,
        title: 'one',
        url: expect.any(String),
        source_type: 'devto',
        source_date: '2026-11-18T09:00:00',
        pipeline_stage: 'analyzed',
        quality_score: 0.8,
        relevance_score: 0.9,
        summary: 'About one',
        tags: 'otel,tracing',
        extracted_content: '# one\n\nWhole text',
        group_id: group,
        author: 'Ann',
        author_url: null,
        licence: 'CC BY 4.0',
        extraction_status: 'COMPLETED',
        language: 'en',
        rejection_reason: null,
        engagement: { score: 3 },
        reasons: { method: 'heuristic', notes: ['because'] },
        category_name: 'Observability',
        relatedTopics: [{ id: ids.two, title: 'two', source_type: 'reddit' }],
      },
    ])
  })

  test('what is not there is told in the one shape of errors', async () => {
    expect((await api.get('/api/topics/999999')).body).toEqual({ error: 'No topic 999999', code: 'NOT_FOUND' })
    expect((await api.get('/api/topics/x')).status).toBe(400)
    expect((await api.get('/api/topics/99999999999999999999')).status).toBe(400)
    expect((await api.get('/api/groups/none')).body).toEqual({ error: 'No group "none"', code: 'NOT_FOUND' })
  })

  test('a group tells its topics, the best first', async () => {
    const { body } = await api.get(`/api/groups/${group}`)
    expect([body.group_id, body.size, body.topics.map((topic: { title: string }) => topic.title)]).toEqual([
      group,
      2,
      ['one', 'two'],
    ])
  })

  test('statistics count what is analysed', async () => {
    const { body } = await api.get('/api/stats')
    expect(body).toEqual({
      totalTopics: 4,
      topicsThisWeek: 4,
      pendingJobs: 0,
      failedJobs: 0,
      byCategory: [
        { name: 'Observability', id: first, count: 3 },
        { name: 'Databases', id: expect.any(Number), count: 1 },
      ],
      bySource: expect.arrayContaining([
        { name: 'devto', count: 2 },
        { name: 'reddit', count: 1 },
        { name: 'medium', count: 1 },
      ]),
    })
  })

  test('a rejected topic tells why and can be analysed anew', async () => {
    const { body } = await api.get('/api/pipeline/rejected')
    expect(body).toEqual([
      expect.objectContaining({ id: ids.gone, title: 'gone', rejection_reason: 'quality: 0.20 < 0.50' }),
    ])
    expect((await api.ask('POST', `/api/topics/${ids.gone}/reanalyze`)).body).toEqual({ id: ids.gone, queued: true })
    expect((await api.get('/api/pipeline/status')).body.jobCounts).toContainEqual({
      stage: 'ANALYZE',
      status: 'PENDING',
      count: 1,
    })
    expect((await api.ask('POST', `/api/topics/${ids.new}/reanalyze`)).status).toBe(409)
    expect((await api.ask('POST', '/api/topics/999999/reanalyze')).status).toBe(404)
  })

  test('stages are counted, all four', async () => {
    expect(
      (await api.get('/api/pipeline/topics-by-stage')).body.map(
        (each: { pipeline_stage: string }) => each.pipeline_stage,
      ),
    ).toEqual(['analyzed', 'extracted', 'rejected', 'scanned'])
  })

  test('topics of a week ago are not of this week', async () => {
    api.setTime(NOON(17) + 7 * DAY + 1)
    expect((await api.get('/api/stats')).body.topicsThisWeek).toBe(2)
    api.setTime(NOON(20))
  })
})

function category(name: string) {
  return {
    name,
    description: '',
    keywords: [],
    negativeKeywords: [],
    sources: [],
    scanFrequency: 60,
    scanCron: null,
    enabled: true,
  }
}
