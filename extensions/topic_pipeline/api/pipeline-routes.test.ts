import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases, type TestDatabase } from './databases.test-support.ts'
import { openApi } from './rig.test-support.ts'
import { seedTopic } from './seed.test-support.ts'

describe.each(databases())('the monitor on $name', ({ open }) => {
  let database: TestDatabase
  let api: Awaited<ReturnType<typeof openApi>>

  beforeEach(async () => {
    database = await open()
    api = await openApi(database.store)
  })
  afterEach(async () => {
    await api[Symbol.asyncDispose]()
    await database.close()
  })

  test('there are exactly six scanners', async () => {
    expect((await api.get('/api/scanners')).body).toEqual([
      { type: 'stackoverflow', displayName: 'Stack Overflow' },
      { type: 'reddit', displayName: 'Reddit' },
      { type: 'medium', displayName: 'Medium' },
      { type: 'devto', displayName: 'Dev.to' },
      { type: 'hashnode', displayName: 'Hashnode' },
      { type: 'youtube', displayName: 'YouTube' },
    ])
  })

  test('an empty store counts nothing', async () => {
    expect((await api.get('/api/pipeline/status')).body).toEqual({
      jobCounts: [],
      summary: { pending: 0, processing: 0, completed: 0, failed: 0 },
    })
    expect((await api.get('/api/pipeline/topics-by-stage')).body).toEqual([
      { pipeline_stage: 'analyzed', count: 0 },
      { pipeline_stage: 'extracted', count: 0 },
      { pipeline_stage: 'rejected', count: 0 },
      { pipeline_stage: 'scanned', count: 0 },
    ])
    expect((await api.get('/api/stats')).body).toMatchObject({ totalTopics: 0, byCategory: [], bySource: [] })
  })

  test('failures are told, newest first, and can be tried again', async () => {
    const { store } = database
    const ids: number[] = []
    for (let i = 0; i < 25; i++) {
      const topicId = await seedTopic(store, { title: `t${i}`, collectedAt: 1 })
      ids.push(await store.jobs.enqueue('ANALYZE', topicId, 1000 + i))
    }
    const jobs = await store.jobs.claim({ stages: ['ANALYZE'], owner: 'o', now: 9e9, leaseUntil: 9e9, limit: 100 })
    const rules = { maxAttempts: 3, maxStalls: 3, baseDelay: 1, maxDelay: 1, random: () => 0 }
    for (const job of jobs) await store.jobs.fail(job, { kind: 'permanent', message: 'broken' }, 9e9, rules)
    const { body } = await api.get('/api/pipeline/errors')
    expect(body).toHaveLength(20)
    expect(body[0]).toEqual({
      id: ids[24],
      stage: 'ANALYZE',
      topic_id: expect.any(Number),
      error_message: 'broken',
      retry_count: 1,
      created_at: '1970-01-01T00:00:01',
      topic_title: 't24',
      topic_url: expect.stringMatching(/^https:/),
    })
    for (const [query, length] of [
      ['?limit=100', 25],
      ['?limit=500', 25],
      ['?limit=3', 3],
      ['?limit=0', 1],
      ['?limit=-1', 1],
    ] as const) {
      expect((await api.get(`/api/pipeline/errors${query}`)).body).toHaveLength(length)
    }
    expect((await api.get('/api/pipeline/errors?limit=x')).status).toBe(400)
    expect((await api.get('/api/pipeline/status')).body.summary).toMatchObject({ pending: 0, failed: 25 })
    expect((await api.get('/api/stats')).body.failedJobs).toBe(25)
    expect((await api.ask('POST', `/api/pipeline/jobs/${ids[0]}/retry`)).body).toEqual({ id: ids[0], queued: true })
    expect((await api.ask('POST', `/api/pipeline/jobs/${ids[0]}/retry`)).status).toBe(404)
    expect((await api.get('/api/pipeline/status')).body.summary).toMatchObject({ pending: 1, failed: 24 })
  })

  test('scans are told with what they found and why they did not', async () => {
    const { store } = database
    const categoryId = (await api.ask('POST', '/api/categories', { name: 'Traces' })).body.id
    const first = await store.scans.begin(categoryId, 'devto', 1000, 2000)
    await store.scans.finish(
      first!,
      {
        status: 'COMPLETED',
        topicsFound: 5,
        topicsNew: 2,
        errors: 1,
        errorDetails: 'one item was broken',
        requests: 3,
        notModified: 1,
        quotaRemaining: 99,
      },
      1500,
    )
    await store.scans.begin(categoryId, 'reddit', 3000, 4000)
    const { body } = await api.get('/api/pipeline/scan-history')
    expect(body.map((run: { source: string; status: string }) => [run.source, run.status])).toEqual([
      ['reddit', 'RUNNING'],
      ['devto', 'COMPLETED'],
    ])
    expect(body[1]).toEqual({
      id: first,
      source: 'devto',
      topics_found: 5,
      topics_new: 2,
      errors: 1,
      error_details: 'one item was broken',
      started_at: '1970-01-01T00:00:01',
      completed_at: '1970-01-01T00:00:01',
      category_name: 'Traces',
      category_id: categoryId,
      status: 'COMPLETED',
      requests: 3,
      not_modified: 1,
      quota_remaining: 99,
    })
    expect((await api.get('/api/pipeline/scan-history?limit=1')).body).toHaveLength(1)
  })

  test('a scan of everything is started', async () => {
    expect((await api.ask('POST', '/api/pipeline/scan')).body).toEqual({ triggered: true, message: 'Scan started' })
    expect((await api.get('/api/pipeline/scan')).status).toBe(405)
  })
})
