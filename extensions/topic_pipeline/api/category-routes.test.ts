import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases, type TestDatabase } from './databases.test-support.ts'
import { openApi } from './rig.test-support.ts'
import { seedTopic } from './seed.test-support.ts'

const REQUEST = {
  name: 'Observability',
  description: 'Traces and more',
  keywords: 'opentelemetry, tail sampling,opentelemetry',
  negativeKeywords: 'crypto',
  sources: 'devto,reddit',
  scanFrequency: 60,
  enabled: true,
}

describe.each(databases())('categories on $name', ({ open }) => {
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

  test('one is added, listed, changed in part, and removed', async () => {
    const added = await api.ask('POST', '/api/categories', REQUEST)
    const { id } = added.body
    expect([added.status, added.body]).toEqual([201, { id, name: 'Observability' }])
    await seedTopic(database.store, { title: 't', categoryId: id, collectedAt: 1 })
    const listed = {
      id,
      name: 'Observability',
      description: 'Traces and more',
      keywords: 'opentelemetry,tail sampling',
      negative_keywords: 'crypto',
      sources: 'devto,reddit',
      scan_frequency: 60,
      scan_cron: null,
      enabled: true,
      created_at: '2026-11-20T12:00:00.000Z',
    }
    expect((await api.get('/api/categories')).body).toEqual([{ ...listed, topic_count: 1 }])
    const changed = await api.ask('PUT', `/api/categories/${id}`, {
      negativeKeywords: '',
      enabled: false,
      name: null,
      scanFrequency: null,
    })
    expect([changed.status, changed.body]).toEqual([200, { id, updated: true }])
    expect((await api.get(`/api/categories/${id}`)).body).toEqual({ ...listed, negative_keywords: '', enabled: false })
    const removed = await api.ask('DELETE', `/api/categories/${id}`)
    expect([removed.status, removed.text]).toEqual([204, ''])
    expect((await api.get('/api/categories')).body).toEqual([])
  })

  test('topics of a removed category stay, without one', async () => {
    const { id } = (await api.ask('POST', '/api/categories', REQUEST)).body
    await seedTopic(database.store, { title: 'kept', categoryId: id, collectedAt: 1 })
    await api.ask('DELETE', `/api/categories/${id}`)
    expect((await api.get('/api/topics')).body.topics).toEqual([
      expect.objectContaining({ title: 'kept', category_id: null }),
    ])
  })

  test('what a new one does not say has defaults', async () => {
    const { id } = (await api.ask('POST', '/api/categories', { name: ' Databases ' })).body
    expect((await api.get(`/api/categories/${id}`)).body).toMatchObject({
      name: 'Databases',
      description: '',
      keywords: '',
      negative_keywords: '',
      sources: '',
      scan_frequency: 1440,
      enabled: true,
    })
  })

  test('a cron expression takes the place of the frequency until it is cleared', async () => {
    const { id } = (await api.ask('POST', '/api/categories', { ...REQUEST, scanCron: '0 6 * * 1-5' })).body
    expect((await api.get(`/api/categories/${id}`)).body.scan_cron).toBe('0 6 * * 1-5')
    await api.ask('PUT', `/api/categories/${id}`, { scanCron: '' })
    expect((await api.get(`/api/categories/${id}`)).body.scan_cron).toBe(null)
  })

  test.each([
    [{}, 'Invalid body: name must not be empty'],
    [{ name: '  ' }, 'Invalid body: name must not be empty'],
    [{ name: 5 }, 'Invalid body: name must be string,null'],
    [{ name: 'x', scanFrequency: 0 }, 'Invalid body: scanFrequency must be >= 1'],
    [{ name: 'x', scanFrequency: 'daily' }, 'Invalid body: scanFrequency must be integer,null'],
    [{ name: 'x', enabled: 'yes' }, 'Invalid body: enabled must be boolean,null'],
    [{ name: 'x', scanCron: 'often' }, /^Invalid body: scanCron is no cron expression: /],
    [
      { name: 'x', sources: 'devto,hackernews' },
      'Invalid body: sources names "hackernews", which is none of stackoverflow, reddit, medium, devto, hashnode, youtube',
    ],
  ])('%j is refused', async (body, message) => {
    const answer = await api.ask('POST', '/api/categories', body)
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(answer.body.error).toMatch(message)
  })

  test('what is not there cannot be read, changed or removed', async () => {
    const missing = { error: 'No category 7', code: 'NOT_FOUND' }
    expect((await api.get('/api/categories/7')).body).toEqual(missing)
    expect((await api.ask('PUT', '/api/categories/7', { name: 'x' })).body).toEqual(missing)
    expect((await api.ask('DELETE', '/api/categories/7')).body).toEqual(missing)
  })
})
