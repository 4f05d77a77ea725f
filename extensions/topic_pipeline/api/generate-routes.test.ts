import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ModelError } from '../language_model/language-model.ts'
import { databases, type TestDatabase } from './databases.test-support.ts'
import { openApi, type RigOptions } from './rig.test-support.ts'
import { seedTopic } from './seed.test-support.ts'

describe.each(databases())('drafts on $name', ({ open }) => {
  let database: TestDatabase
  let topicId: number
  let groupId: string

  beforeEach(async () => {
    database = await open()
    topicId = await seedTopic(database.store, { title: 'Tail sampling', collectedAt: 1 })
    groupId = await database.store.groups.create('test', new Float32Array([1, 0]), [topicId], 1)
  })
  afterEach(() => database.close())

  const withApi = async (
    run: (api: Awaited<ReturnType<typeof openApi>>) => Promise<void>,
    options: RigOptions = {},
  ) => {
    await using api = await openApi(database.store, options)
    await run(api)
  }

  test('a draft is the whole record', () =>
    withApi(async api => {
      const answer = await api.ask('POST', '/api/generate', { topicId, format: 'newsletter' })
      expect([answer.status, answer.body]).toEqual([
        201,
        {
          id: expect.any(Number),
          topic_id: topicId,
          group_id: null,
          output_format: 'newsletter',
          model_used: 'stand-in',
          parent_id: null,
          revision: 0,
          created_at: '2026-11-20T12:00:00',
          topic_title: 'Tail sampling',
          generated_text: 'A draft [S1]',
          feedback: null,
          sources: [
            {
              marker: 'S1',
              topic_id: 1,
              title: 'Source',
              url: 'https://example.org/1',
              author: 'Ann',
              licence: null,
              excerpt_hash: 'ab',
            },
          ],
          references: [{ content_id: 1, title: 'Mine', similarity: 0.5 }],
          usage: { input_tokens: 10, output_tokens: 20, estimated: false },
          cost: 0.001,
          checks: [{ name: 'citations', ok: true, detail: 'Cited: S1' }],
          style_match: null,
        },
      ])
      expect((await api.get(`/api/generate/${answer.body.id}`)).body).toEqual(answer.body)
      expect((await api.get('/api/pipeline/status')).body.jobCounts).toContainEqual({
        stage: 'GENERATE',
        status: 'COMPLETED',
        count: 1,
      })
    }))

  test('of a group, by either name of the format', () =>
    withApi(async api => {
      const { body } = await api.ask('POST', '/api/generate', { groupId, outputFormat: 'linkedin_post' })
      expect([body.topic_id, body.group_id, body.output_format]).toEqual([null, groupId, 'linkedin_post'])
      expect((await api.ask('POST', '/api/generate', { topicId })).body.output_format).toBe('blog_post')
    }))

  test.each([
    [{}, 400, 'Invalid body: topicId or groupId is required'],
    [{ topicId: 999 }, 404, 'No topic 999'],
    [{ groupId: 'none' }, 404, 'No group "none"'],
    [
      { topicId: 1, format: 'poem' },
      400,
      'Invalid body: format must be one of blog_post, youtube_script, linkedin_post, newsletter',
    ],
    [
      { topicId: 1, format: 'newsletter', outputFormat: 'blog_post' },
      400,
      'Invalid body: format and outputFormat differ',
    ],
  ])('%j: %i', (body, status, error) =>
    withApi(async api => {
      const answer = await api.ask('POST', '/api/generate', body)
      expect([answer.status, answer.body.error]).toEqual([status, error])
    }),
  )

  test('with feedback it is written anew: a new record that keeps its lineage', () =>
    withApi(async api => {
      const first = (await api.ask('POST', '/api/generate', { topicId })).body
      const second = await api.ask('POST', `/api/generate/${first.id}/regenerate`, { feedback: ' shorter ' })
      expect(second.status).toBe(200)
      expect(second.body).toMatchObject({
        topic_id: topicId,
        output_format: 'blog_post',
        parent_id: first.id,
        revision: 1,
        feedback: null,
        generated_text: 'A draft, shorter [S1]',
      })
      expect(second.body.id).not.toBe(first.id)
      expect((await api.get(`/api/generate/${first.id}`)).body.feedback).toBe('shorter')
      expect((await api.get(`/api/generate/${second.body.id}/diff`)).body).toEqual({
        from: first.id,
        to: second.body.id,
        changes: [
          { kind: 'same', text: 'A ' },
          { kind: 'removed', text: 'draft ' },
          { kind: 'added', text: 'draft, shorter ' },
          { kind: 'same', text: '[S1]' },
        ],
      })
      expect((await api.get(`/api/generate/${first.id}/diff`)).status).toBe(400)
      for (const body of [{}, { feedback: ' ' }, undefined]) {
        expect((await api.ask('POST', `/api/generate/${first.id}/regenerate`, body)).status).toBe(400)
      }
      expect((await api.ask('POST', '/api/generate/999/regenerate', { feedback: 'x' })).status).toBe(404)
    }))

  test.each([
    ['topic', () => ({ topicId })],
    ['group', () => ({ groupId })],
  ])('a %s is written anew five times at most in a format, however many ask at once', (_, target) =>
    withApi(async api => {
      const first = (await api.ask('POST', '/api/generate', target())).body
      const ask = (id: number) => api.ask('POST', `/api/generate/${id}/regenerate`, { feedback: 'again' })
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask(first.id)))
      expect(answers.map(each => each.status).toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
      const last = answers.find(each => each.status === 200)!
      const refused = await ask(last.body.id)
      expect([refused.status, refused.body]).toEqual([
        429,
        { error: 'Maximum regeneration rounds reached (5)', code: 'TOO_MANY_REGENERATIONS' },
      ])
      const other = (await api.ask('POST', '/api/generate', { ...target(), format: 'newsletter' })).body
      expect((await ask(other.id)).status).toBe(200)
    }),
  )

  test('a regeneration that failed gives its place back', () => {
    let failing = false
    const write = async () => {
      if (failing) throw new ModelError('busy', 'The model is overloaded')
      return 'text'
    }
    return withApi(
      async api => {
        const { id } = (await api.ask('POST', '/api/generate', { topicId })).body
        failing = true
        for (let i = 0; i < 6; i++) {
          const answer = await api.ask('POST', `/api/generate/${id}/regenerate`, { feedback: 'x' })
          expect([answer.status, answer.body.code]).toEqual([503, 'LLM_BUSY'])
        }
        failing = false
        expect((await api.ask('POST', `/api/generate/${id}/regenerate`, { feedback: 'x' })).status).toBe(200)
      },
      { write },
    )
  })

  test.each([
    ['unconfigured', 503, 'LLM_UNAVAILABLE'],
    ['budget', 429, 'LLM_BUDGET_EXCEEDED'],
    ['invalid', 502, 'LLM_INVALID_ANSWER'],
    ['refused', 502, 'LLM_REFUSED'],
  ] as const)('a model that says %s: %i', (reason, status, code) =>
    withApi(
      async api => {
        const answer = await api.ask('POST', '/api/generate', { topicId })
        expect([answer.status, answer.body]).toEqual([status, { error: 'No', code }])
        expect((await api.get('/api/pipeline/errors')).body).toEqual([
          expect.objectContaining({ stage: 'GENERATE', error_message: 'No', topic_id: topicId }),
        ])
      },
      { write: () => Promise.reject(new ModelError(reason, 'No')) },
    ),
  )

  test('with no model configured it is said before anything is kept', () =>
    withApi(
      async api => {
        const answer = await api.ask('POST', '/api/generate', { topicId })
        expect([answer.status, answer.body]).toEqual([503, { error: 'No language model', code: 'LLM_UNAVAILABLE' }])
        expect((await api.get('/api/pipeline/errors')).body).toEqual([])
      },
      { unavailable: 'No language model' },
    ))

  test('drafts are listed by what they are about, exported, and forgotten', () =>
    withApi(async api => {
      const a = (await api.ask('POST', '/api/generate', { topicId })).body
      const b = (await api.ask('POST', '/api/generate', { groupId, format: 'newsletter' })).body
      const ids = async (query: string) =>
        (await api.get(`/api/generate${query}`)).body.map((each: { id: number }) => each.id)
      expect(await ids('')).toEqual([b.id, a.id])
      expect(await ids(`?topicId=${topicId}`)).toEqual([a.id])
      expect(await ids(`?groupId=${groupId}`)).toEqual([b.id])
      expect(await ids('?format=newsletter')).toEqual([b.id])
      expect(await ids('?limit=1&offset=1')).toEqual([a.id])
      expect((await api.get('/api/generate?limit=1')).body[0]).toMatchObject({ preview: 'A draft [S1]' })
      const file = await api.get(`/api/generate/${a.id}/export?format=markdown`)
      expect([file.status, file.headers.get('content-type'), file.headers.get('content-disposition')]).toEqual([
        200,
        'text/markdown; charset=utf-8',
        `attachment; filename="generated-content-${a.id}.md"`,
      ])
      expect(file.text).toBe(
        'A draft [\\[S1\\]](https://example.org/1)\n\n## Sources\n\n- S1: [Source](https://example.org/1) by Ann\n',
      )
      expect((await api.get(`/api/generate/${a.id}/export?format=pdf`)).status).toBe(400)
      expect((await api.get('/api/generate/999/export')).status).toBe(404)
      expect((await api.ask('DELETE', `/api/generate/${a.id}`)).status).toBe(204)
      expect((await api.get(`/api/generate/${a.id}`)).status).toBe(404)
    }))
})
