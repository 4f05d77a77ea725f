import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RouteError } from '#core/component'
import { databases, type TestDatabase } from './databases.test-support.ts'
import { openApi, PROFILE } from './rig.test-support.ts'

describe.each(databases())('content on $name', ({ open }) => {
  let database: TestDatabase
  let api: Awaited<ReturnType<typeof openApi>>

  beforeEach(async () => {
    database = await open()
    api = await openApi(database.store, {
      async analyzeStyle(upload) {
        if (upload.title === 'no model') throw new RouteError(503, 'LLM_UNAVAILABLE', 'No language model is configured')
        await database.store.uploads.setProfile(upload.id, PROFILE, 1000)
        return PROFILE
      },
    })
  })
  afterEach(async () => {
    await api[Symbol.asyncDispose]()
    await database.close()
  })

  const upload = async (body: object) => (await api.ask('POST', '/api/content', body)).body.id as number

  test('a piece is kept, listed, read, analysed and forgotten', async () => {
    const answer = await api.ask('POST', '/api/content', {
      title: 'Mine',
      content: 'Hello you',
      contentType: 'newsletter',
    })
    const { id } = answer.body
    expect([answer.status, answer.body]).toEqual([201, { id: expect.any(Number) }])
    const brief = {
      id,
      title: 'Mine',
      content_type: 'newsletter',
      style_analyzed: false,
      content_length: 9,
      word_count: 1,
      created_at: '2026-11-20T12:00:00',
    }
    expect((await api.get('/api/content')).body).toEqual([brief])
    expect((await api.get(`/api/content/${id}`)).body).toEqual({
      ...brief,
      content: 'Hello you',
      writing_style_metadata: null,
      source_url: null,
      embedding_model: null,
      analyzed_at: null,
    })
    const profile = await api.ask('POST', `/api/content/${id}/analyze`)
    expect([profile.status, profile.body]).toEqual([200, PROFILE])
    expect(Object.keys(profile.body)).toHaveLength(9)
    const read = (await api.get(`/api/content/${id}`)).body
    expect([read.style_analyzed, JSON.parse(read.writing_style_metadata), read.analyzed_at]).toEqual([
      true,
      PROFILE,
      '1970-01-01T00:00:01',
    ])
    expect((await api.ask('DELETE', `/api/content/${id}`)).status).toBe(204)
    expect((await api.get('/api/content')).body).toEqual([])
  })

  test('the composite is a string of JSON, empty before anything was analysed', async () => {
    const id = await upload({ content: 'x' })
    expect((await api.get('/api/content/style-profile')).body).toEqual({ profile: '', hasProfile: false })
    await api.ask('POST', `/api/content/${id}/analyze`)
    const { profile, hasProfile } = (await api.get('/api/content/style-profile')).body
    expect([JSON.parse(profile), hasProfile]).toEqual([PROFILE, true])
  })

  test('a list is as long as is asked for', async () => {
    for (let i = 0; i < 25; i++) await upload({ title: `${i}`, content: 'x' })
    const titles = async (query: string) =>
      (await api.get(`/api/content${query}`)).body.map((each: { title: string }) => each.title)
    expect(await titles('')).toHaveLength(20)
    expect(await titles('?limit=2')).toEqual(['24', '23'])
    expect(await titles('?limit=2&offset=24')).toEqual(['0'])
    expect(await titles('?limit=0')).toEqual(['24'])
    expect(await titles('?limit=1000')).toHaveLength(25)
  })

  test.each([
    ['/api/content', {}, 400, 'Invalid body: content must not be empty'],
    ['/api/content', { content: ' \n ' }, 400, 'Invalid body: content must not be empty'],
    [
      '/api/content',
      { content: 'x', contentType: 'poem' },
      400,
      'Invalid body: contentType must be one of blog_post, transcript, newsletter',
    ],
    ['/api/content', { content: 'ä'.repeat(501) }, 413, 'content has 1002 bytes, at most 1000 are kept'],
    ['/api/content/import', {}, 400, 'Invalid body: url must not be empty'],
    ['/api/content/import', { url: '' }, 400, 'Invalid body: url must not be empty'],
    ['/api/content/9/analyze', undefined, 404, 'No content 9'],
  ])('POST %s %j: %i', async (path, body, status, error) => {
    const answer = await api.ask('POST', path, body)
    expect([answer.status, answer.body.error]).toEqual([status, error])
  })

  test('an imported page is kept', async () => {
    const answer = await api.ask('POST', '/api/content/import', { url: ' https://example.org/a ' })
    expect(answer.status).toBe(201)
    expect((await api.get(`/api/content/${answer.body.id}`)).body.source_url).toBe('https://example.org/a')
  })

  test('without a model nothing is analysed, and it is said so', async () => {
    const id = await upload({ title: 'no model', content: 'x' })
    const answer = await api.ask('POST', `/api/content/${id}/analyze`)
    expect([answer.status, answer.body]).toEqual([
      503,
      { error: 'No language model is configured', code: 'LLM_UNAVAILABLE' },
    ])
  })
})
