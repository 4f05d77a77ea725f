import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#core/component'
import { configure, describeExtension, tempDir, testContext, until } from '#core/testing'
import { checkTopicPipelineConfig, topicPipelineConfig } from './config.ts'
import { TopicPipeline } from './extension.ts'
import { topicPipelineExtension } from './index.ts'

const dir = await tempDir()
describeExtension(topicPipelineExtension, {
  folder: import.meta.dirname,
  written: () => ({ data_dir: dir.file(`${Math.random()}`) }),
})

/** A started pipeline in a directory of its own. */
async function running(written: object = {}) {
  const own = await tempDir()
  const context = testContext({ id: 'topic_pipeline', kind: 'extension', clock: systemClock })
  const extension = new TopicPipeline(configure(topicPipelineConfig, { data_dir: own.path, ...written }), context)
  await extension.start()
  onTestFinished(async () => {
    await extension.shutdown()
    await own[Symbol.asyncDispose]()
  })
  const call = async (
    method: string,
    path: string,
    request: { params?: Record<string, string>; query?: object; body?: unknown } = {},
  ) => {
    const route = extension.routes.find(each => each.method === method && each.path === path)!
    const { params = {}, query = {}, body } = request
    // biome-ignore lint/suspicious/noExplicitAny: answers are compared with what they should be
    return (await route.handle({ params, query: query as Record<string, unknown>, body, headers: {} })) as any
  }
  return { extension, context, own, call }
}

/** A web site on loopback. */
async function site(
  pages: Readonly<Record<string, { readonly type?: string; readonly status?: number; readonly body: string }>>,
) {
  const server = createServer((request, response) => {
    const page = pages[request.url!] ?? { status: 404, body: '' }
    response.writeHead(page.status ?? 200, { 'content-type': page.type ?? 'text/html' }).end(page.body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>(resolve => void server.close(() => resolve())))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('configuration', () => {
  test.each([
    [{}, []],
    [{ database: 'mysql://x' }, ['database: must begin with postgres:// or be empty']],
    [
      { fetch: { allow_private: ['10.0.0.0/8', 'here'] } },
      ['fetch::allow_private::1: must be a network in CIDR notation such as 10.0.0.0/8, is here'],
    ],
    [{ scan: { time_zone: 'Mars/Olympus' } }, ['scan::time_zone: unknown time zone "Mars/Olympus"']],
    [{ jobs: { lease: '10ms' } }, ['jobs::lease: must be at least 1s']],
    [{ jobs: { generate: 0 } }, ['jobs::generate: must be at least 1 without database, where nobody else does them']],
    [{ jobs: { extract: 0, analyze: 0 }, database: 'postgres://h/d' }, []],
    [{ jobs: { retry_delay: '2h' } }, ['jobs::max_retry_delay: must not be less than retry_delay']],
    [
      { language_model: { primary: { type: 'openai', base_url: 'ftp://x', models: { default: 'm' } } } },
      ['language_model::primary::base_url: must be an HTTP URL, not "ftp://x"'],
    ],
  ])('%j: %j', (written, faults) => {
    expect([...checkTopicPipelineConfig(configure(topicPipelineConfig, written))]).toEqual(faults)
  })
})

describe('life', () => {
  test('routes are there while it runs', async () => {
    const { extension } = await running()
    expect(extension.routes.length).toBeGreaterThan(25)
    expect(extension.readiness[0]!.read()).toEqual({ state: 'OK' })
    await extension.shutdown()
    expect([extension.routes, extension.readiness[0]!.read()]).toEqual([[], { state: 'STARTING' }])
  })

  test('what was kept is there after a restart', async () => {
    const first = await running()
    await first.call('POST', '/api/content', { body: { content: 'Mine', contentType: 'blog_post' } })
    await first.extension.shutdown()
    const second = await running({ data_dir: first.own.path })
    expect((await second.call('GET', '/api/content', { query: { limit: 20, offset: 0 } })).body).toHaveLength(1)
  })

  test('a database that cannot be opened stops the start and leaves nothing behind', async () => {
    const context = testContext({ id: 'topic_pipeline', kind: 'extension', clock: systemClock })
    const config = configure(topicPipelineConfig, { database: 'postgres://nobody:hidden@127.0.0.1:1/none' })
    const extension = new TopicPipeline(config, context)
    await expect(extension.start()).rejects.toThrow(/127\.0\.0\.1:1/)
    await expect(extension.start()).rejects.not.toThrow(/hidden/)
    await extension.shutdown()
  })
})

describe('imports', () => {
  const article = `<html><head><title>Tail sampling at night</title></head><body><nav>Home</nav><article><h1>Tail sampling at night</h1>${'<p>We keep the traces that hurt and let go of the rest of them, because nobody reads them anyway.</p>'.repeat(8)}</article></body></html>`

  test('a page becomes a piece of writing with the title of the page', async () => {
    const url = await site({ '/post': { body: article } })
    const { call } = await running({ fetch: { allow_private: ['127.0.0.0/8'] } })
    const answer = await call('POST', '/api/content/import', { body: { url: `${url}/post` } })
    expect(answer.status).toBe(201)
    const { body } = await call('GET', '/api/content/:id', { params: { id: `${answer.body.id}` } })
    expect(body).toMatchObject({
      title: 'Tail sampling at night',
      content_type: 'blog_post',
      source_url: `${url}/post`,
    })
    expect(body.content).toContain('We keep the traces that hurt')
    expect(body.content).not.toContain('Home')
    expect(body.embedding_model).toBe('hashing-v1')
  })

  test.each([
    ['/missing', 400, 'CANNOT_FETCH'],
    ['/empty', 422, 'NOTHING_TO_EXTRACT'],
    ['/picture', 400, 'CANNOT_FETCH'],
  ])('%s: %i %s', async (path, status, code) => {
    const url = await site({
      '/empty': { body: '<html><body></body></html>' },
      '/picture': { type: 'image/png', body: 'x' },
    })
    const { call } = await running({ fetch: { allow_private: ['127.0.0.0/8'] } })
    await expect(call('POST', '/api/content/import', { body: { url: url + path } })).rejects.toMatchObject({
      status,
      code,
    })
  })

  test('a private address is refused before it is asked, and is not told', async () => {
    const url = await site({ '/post': { body: article } })
    const { call } = await running()
    const refusal = call('POST', '/api/content/import', { body: { url: `${url}/post` } })
    await expect(refusal).rejects.toMatchObject({ status: 400, code: 'ADDRESS_REFUSED' })
    await expect(refusal).rejects.not.toThrow(/127\.0\.0\.1/)
  })
})

test('uploads that have no vector of the present model get one', async () => {
  const first = await running({ language_model: { primary: { type: 'none' } } })
  const { body } = await first.call('POST', '/api/content', { body: { content: 'Mine', contentType: 'blog_post' } })
  await first.extension.shutdown()
  const second = await running({ data_dir: first.own.path })
  const model = async () =>
    (await second.call('GET', '/api/content/:id', { params: { id: `${body.id}` } })).body.embedding_model
  await until(async () => (await model()) === 'hashing-v1')
})
