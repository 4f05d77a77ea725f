import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { PermanentError, RetryableError, type Route, RouteError } from '#core/component'
import { until } from '#core/testing'
import { faultIn, json, route, runningApi } from './rig.test-support.ts'

async function serving(routes: readonly Route[], written: object = {}) {
  const api = await runningApi(written)
  api.host.add({ routes: [...routes, route({ path: '/there' })] })
  await until(async () => (await api.ask('/there')).status === 200)
  return api
}

const NAMED = route({
  method: 'POST',
  path: '/items/:name',
  query: { type: 'object', properties: { limit: { type: 'integer', default: 10 }, deep: { type: 'boolean' } } },
  body: { type: 'object', required: ['n'], additionalProperties: false, properties: { n: { type: 'integer' } } },
  handle: ({ params, query, body }) => ({ body: { params, query, body } }),
})

const gzipped = { 'content-type': 'application/json', 'content-encoding': 'gzip' }

describe('a request', () => {
  test('arrives with its parameters, query and body checked and converted', async () => {
    await using api = await serving([NAMED])
    const response = await api.ask('/items/a%2Fb?deep=true', json({ n: 5 }))
    expect(await response.json()).toEqual({ params: { name: 'a/b' }, query: { limit: 10, deep: true }, body: { n: 5 } })
  })

  test('may be compressed', async () => {
    await using api = await serving([NAMED])
    const response = await api.ask('/items/x', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify({ n: 7 })),
    })
    expect(await response.json()).toMatchObject({ body: { n: 7 } })
  })

  test('may have no body although it names a type', async () => {
    await using api = await serving([
      route({ method: 'DELETE', path: '/x', handle: ({ body }) => ({ body: { body } }) }),
    ])
    const response = await api.ask('/x', { method: 'DELETE', headers: { 'content-type': 'application/json' } })
    expect(response.status).toBe(200)
  })
})

describe('an answer', () => {
  test('is JSON with status 200 unless the route says otherwise', async () => {
    await using api = await serving([route({ path: '/a' }), route({ path: '/b', handle: () => ({ status: 204 }) })])
    const first = await api.ask('/a')
    expect([first.status, first.headers.get('content-type'), await first.text()]).toEqual([
      200,
      'application/json; charset=utf-8',
      '{"ok":true}',
    ])
    expect((await api.ask('/b')).status).toBe(204)
  })

  test.each([
    ['a string', 'a,b\n'],
    ['bytes', Buffer.from('a,b\n')],
    [
      'an iterable',
      (async function* () {
        yield 'a,'
        yield 'b\n'
      })(),
    ],
  ])('can be %s of any type', async (_, body) => {
    await using api = await serving([
      route({ path: '/a', handle: () => ({ headers: { 'content-type': 'text/csv', etag: '"1"' }, body }) }),
    ])
    const response = await api.ask('/a')
    expect([response.headers.get('content-type'), response.headers.get('etag'), await response.text()]).toEqual([
      'text/csv',
      '"1"',
      'a,b\n',
    ])
  })

  test('to HEAD has no body', async () => {
    await using api = await serving([])
    const response = await api.ask('/there', { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })
})

describe('every fault has a sentence and a code:', () => {
  const throwing = (error: unknown) =>
    route({
      path: '/a',
      handle: () => {
        throw error
      },
    })
  const post = route({ method: 'POST', path: '/a', body: { type: 'object' } })
  const cases: readonly (readonly [string, Route, string, RequestInit, string])[] = [
    ['an unknown path', NAMED, '/nowhere?x=1', {}, '404 NOT_FOUND'],
    ['another method', NAMED, '/items/x', {}, '405 METHOD_NOT_ALLOWED'],
    ['a body that does not fit', NAMED, '/items/x', json({ n: 'five' }), '400 INVALID_REQUEST'],
    ['text where a number must be', NAMED, '/items/x', json({ n: '5' }), '400 INVALID_REQUEST'],
    ['a field too many', NAMED, '/items/x', json({ n: 1, m: 2 }), '400 INVALID_REQUEST'],
    ['a query that does not fit', NAMED, '/items/x?limit=many', json({ n: 1 }), '400 INVALID_REQUEST'],
    ['no body', NAMED, '/items/x', { method: 'POST' }, '400 INVALID_REQUEST'],
    ['a body that is not JSON', post, '/a', json(0, { body: '{' }), '400 INVALID_JSON'],
    ['a body that would change prototypes', post, '/a', json(0, { body: '{"__proto__":{}}' }), '400 INVALID_JSON'],
    ['a body of another type', post, '/a', { method: 'POST', body: 'x' }, '415 UNSUPPORTED_MEDIA_TYPE'],
    ['a body that is too large', post, '/a', json({ x: 'x'.repeat(2_000) }), '413 BODY_TOO_LARGE'],
    [
      'a body too large once decompressed',
      post,
      '/a',
      json(0, { body: gzipSync(JSON.stringify({ x: 'x'.repeat(2_000) })), headers: gzipped }),
      '413 BODY_TOO_LARGE',
    ],
    [
      'a body that is not what it says',
      post,
      '/a',
      json(0, { body: 'plain', headers: gzipped }),
      '400 INVALID_ENCODING',
    ],
    [
      'an unknown encoding',
      post,
      '/a',
      json({}, { headers: { 'content-type': 'application/json', 'content-encoding': 'br' } }),
      '415 UNSUPPORTED_ENCODING',
    ],
    ['a malformed URL', post, '/%ff', {}, '400 INVALID_URL'],
    ['a fault of the route', throwing(new RouteError(409, 'EXISTS', 'Name is taken')), '/a', {}, '409 EXISTS'],
    ['a permanent refusal', throwing(new PermanentError('Never')), '/a', {}, '500 INTERNAL'],
    ['a refusal for now', throwing(new RetryableError('Full')), '/a', {}, '503 UNAVAILABLE'],
    ['an accident', throwing(new Error('secret')), '/a', {}, '500 INTERNAL'],
    ['a thrown string', throwing('secret'), '/a', {}, '500 INTERNAL'],
  ]
  test.each(cases)('%s', async (_, served, path, init, expected) => {
    await using api = await serving([served], { max_request_body_size: 1_000 })
    expect(await faultIn(await api.ask(path, init))).toBe(expected)
  })

  test('while components start or stop, a route that is not there may come yet', async () => {
    await using api = await serving([NAMED])
    const component = { kind: 'extension', id: 'other', pipelines: [] } as const
    const answers: string[] = []
    for (const status of ['Starting', 'OK', 'Stopping', 'RecoverableError'] as const) {
      api.host.emit(component, { status })
      answers.push(await faultIn(await api.ask('/yet-to-come')))
    }
    expect(answers).toEqual(['503 NOT_READY', '404 NOT_FOUND', '503 NOT_READY', '404 NOT_FOUND'])
    api.host.emit(component, { status: 'Starting' })
    expect((await api.ask('/yet-to-come')).headers.get('retry-after')).toBe('1')
    expect((await api.ask('/items/x', { method: 'PUT' })).status).toBe(405)
  })

  test('which methods are allowed is told', async () => {
    await using api = await serving([NAMED, route({ path: '/items/:other' })])
    expect((await api.ask('/items/x', { method: 'PUT' })).headers.get('allow')).toBe('GET, HEAD, POST')
  })

  test('what a fault was about is told', async () => {
    await using api = await serving([NAMED])
    const messages = []
    for (const body of [{ n: 'x' }, {}, []]) {
      messages.push(((await (await api.ask('/items/x', json(body))).json()) as { error: string }).error)
    }
    expect(messages).toEqual([
      'Invalid body: n must be integer',
      "Invalid body: must have required property 'n'",
      'Invalid body: must be object',
    ])
  })

  test('accidents are logged, and nothing of them is told', async () => {
    await using api = await serving([throwing(new Error('secret'))])
    expect(await (await api.ask('/a?key=hidden')).text()).not.toContain('secret')
    expect(api.context.logger.lines.at(-1)).toMatchObject({
      level: 'error',
      message: 'Request failed',
      fields: { path: '/a', error: { message: 'secret' } },
    })
  })
})
