import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { Code, PermanentError, type Status } from '#core/component'
import { until } from '#core/testing'
import { faultIn, json, route, runningApi } from './rig.test-support.ts'

describe('own routes', () => {
  test('the process is alive while it answers, until a fatal error', async () => {
    await using api = await runningApi()
    expect(await (await api.ask('/healthz')).json()).toEqual({ status: 'OK' })
    api.host.emit(RECEIVER, { status: 'FatalError', error: new Error('x') })
    const response = await api.ask('/healthz')
    expect([response.status, await response.json()]).toEqual([503, { status: 'FAILED' }])
  })

  test.each([
    ['Starting', 503, 'STARTING'],
    ['OK', 200, 'OK'],
    ['RecoverableError', 200, 'DEGRADED'],
    ['PermanentError', 200, 'DEGRADED'],
    ['FatalError', 503, 'FAILED'],
    ['Stopping', 503, 'FAILED'],
  ] as const)('with a component in state %s, /readyz answers %i %s', async (status, expected, word) => {
    await using api = await runningApi()
    api.host.emit(RECEIVER, { status })
    const response = await api.ask('/readyz')
    expect([response.status, ((await response.json()) as { status: string }).status]).toEqual([expected, word])
  })

  test('before anything has started, the collector is not ready', async () => {
    await using api = await runningApi()
    const response = await api.ask('/readyz')
    expect([response.status, await response.json()]).toEqual([503, { status: 'STARTING', components: [] }])
  })

  test('/readyz lists components and what they say of their parts', async () => {
    await using api = await runningApi()
    api.host.emit(RECEIVER, { status: 'OK' })
    api.host.emit(
      { kind: 'processor', id: 'batch', pipelines: ['traces'] },
      { status: 'RecoverableError', error: new Error('backend is away') },
    )
    api.host.add({
      readiness: [
        { name: 'dictionary', read: () => ({ state: 'STARTING', detail: 'loading' }) },
        {
          name: 'index',
          read: () => {
            throw new Error('broken')
          },
        },
      ],
    })
    const response = await api.ask('/readyz')
    expect([response.status, await response.json()]).toEqual([
      503,
      {
        status: 'FAILED',
        components: [
          { name: 'receiver otlp', state: 'OK' },
          { name: 'processor batch in traces', state: 'DEGRADED', detail: 'backend is away' },
          { name: 'dictionary', state: 'STARTING', detail: 'loading' },
          { name: 'index', state: 'FAILED', detail: 'broken' },
        ],
      },
    ])
  })

  test('/metrics has the page of the host', async () => {
    await using api = await runningApi()
    const response = await api.ask('/metrics')
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(await response.text()).toBe(api.host.metrics)
  })

  test('/api/v1/ledger has the ledger of the host', async () => {
    await using api = await runningApi()
    api.host.report = {
      pipelines: { traces: { received: 5, created: 0, refused: 1, dropped: { filtered: 1 }, queued: 0, delivered: 3 } },
      exporters: { otlp: { received: 3, created: 0, refused: 0, sent: 3, queued: 0, dropped: {} } },
    }
    expect(await (await api.ask('/api/v1/ledger')).json()).toEqual(api.host.report)
  })

  test('/api/v1/components tells how each component is, and since when', async () => {
    await using api = await runningApi()
    api.host.emit(RECEIVER, { status: 'PermanentError', error: new Error('port is taken'), time: 1_767_225_600_000 })
    expect(await (await api.ask('/api/v1/components')).json()).toEqual({
      status: 'PermanentError',
      components: [
        { ...RECEIVER, status: 'PermanentError', error: 'port is taken', since: '2026-01-01T00:00:00.000Z' },
      ],
    })
  })

  test('answers are as /openapi.json says', async () => {
    await using api = await runningApi()
    for (const status of ['Starting', 'OK'] as Status[]) {
      api.host.emit(RECEIVER, { status })
      const document = (await (await api.ask('/openapi.json')).json()) as OpenApi
      const ajv = new Ajv({ strict: false, allErrors: true })
      for (const [path, operations] of Object.entries(document.paths)) {
        const response = await api.ask(path)
        const schema = operations.get?.responses[response.status]?.content?.['application/json'].schema
        expect(operations.get?.responses[response.status], `${path} ${response.status}`).toBeDefined()
        if (schema !== undefined) expect(ajv.validate(schema, await response.json()), ajv.errorsText()).toBe(true)
      }
    }
  })
})

const RECEIVER = { kind: 'receiver', id: 'otlp', pipelines: ['traces'] } as const

interface OpenApi {
  readonly paths: Record<
    string,
    { get?: { responses: Record<string, { content?: { 'application/json': { schema: object } } }> } }
  >
}

describe('routes of components', () => {
  test('may take the place of own ones, for as long as they run', async () => {
    await using api = await runningApi()
    const component = {
      routes: [route({ path: '/healthz', replaces: true, handle: () => ({ body: { mine: true } }) })],
    }
    api.host.add(component)
    await until(async () => (await (await api.ask('/healthz')).text()) === '{"mine":true}')
    api.host.remove(component)
    await until(async () => (await (await api.ask('/healthz')).text()) === '{"status":"OK"}')
  })

  test('come and go while it runs, the port stays', async () => {
    await using api = await runningApi()
    const { address } = api.extension
    const component = { routes: [route({ path: '/x', handle: () => ({ body: 'hello' }) })] }
    expect((await api.ask('/x')).status).toBe(404)
    api.host.add(component)
    await until(async () => (await api.ask('/x')).status === 200)
    expect(Object.keys(((await (await api.ask('/openapi.json')).json()) as OpenApi).paths)).toContain('/x')
    api.host.remove(component)
    await until(async () => (await api.ask('/x')).status === 404)
    expect(api.extension.address).toBe(address)
  })

  test('a request under way is answered by the route it came to', async () => {
    await using api = await runningApi()
    const held = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const slow = {
      routes: [
        route({
          path: '/slow',
          async handle() {
            begun.resolve()
            await held.promise
            return { body: 'old' }
          },
        }),
      ],
    }
    api.host.add(slow)
    await until(async () => (await api.ask('/openapi.json').then(each => each.text())).includes('/slow'))
    const answer = api.ask('/slow')
    await begun.promise
    api.host.remove(slow)
    await until(async () => (await api.ask('/nothing')).status === 404)
    await until(async () => !(await api.ask('/openapi.json').then(each => each.text())).includes('/slow'))
    held.resolve()
    const response = await answer
    expect([response.status, await response.text()]).toEqual([200, 'old'])
  })

  test('are not lost or refused while others change', async () => {
    await using api = await runningApi()
    api.host.add({ routes: [route({ path: '/steady' })] })
    await until(async () => (await api.ask('/steady')).status === 200)
    const changing = { routes: [route({ path: '/changing' })] }
    let asking = true
    const statuses = new Set<number>()
    const asker = (async () => {
      while (asking) statuses.add((await api.ask('/steady')).status)
    })()
    for (let i = 0; i < 10; i++) {
      api.host.add(changing)
      await until(async () => (await api.ask('/changing')).status === 200)
      api.host.remove(changing)
      await until(async () => (await api.ask('/changing')).status === 404)
    }
    asking = false
    await asker
    expect([...statuses]).toEqual([200])
  })

  test('one that another serves already is left out, with a line in the log', async () => {
    await using api = await runningApi()
    api.host.add({ routes: [route({ path: '/healthz' }), route({ path: '/a/:x' }), route({ path: '/a/:y' })] })
    await until(async () => (await api.ask('/a/1')).status === 200)
    expect(await (await api.ask('/healthz')).json()).toEqual({ status: 'OK' })
    expect(api.context.logger.lines.filter(({ level }) => level === 'error').map(({ fields }) => fields.path)).toEqual([
      '/healthz',
      '/a/:y',
    ])
  })

  test('that cannot be served leave the others as they were', async () => {
    await using api = await runningApi()
    api.host.add({ routes: [route({ path: '/good' })] })
    await until(async () => (await api.ask('/good')).status === 200)
    api.host.add({ routes: [route({ path: '/bad', query: { type: 'no such type' } })] })
    await until(() => api.context.logger.messages('error').length > 0)
    expect([(await api.ask('/good')).status, (await api.ask('/bad')).status]).toEqual([200, 404])
  })
})

describe('who may ask', () => {
  const authenticator = {
    async authenticate(headers: ReadonlyMap<string, readonly string[]>) {
      const [key] = headers.get('x-key') ?? []
      if (key === 'banned') throw new PermanentError('Key is banned', { code: Code.PERMISSION_DENIED })
      if (key !== 'good') throw new Error('Key is not known')
      return { attribute: () => undefined, names: [] }
    },
  }
  const secured = () =>
    runningApi({ auth: { authenticator: 'keys', request_params: ['x-key'] } }, { extensions: { keys: authenticator } })

  test('is decided by the authenticator, for every path', async () => {
    await using api = await secured()
    for (const path of ['/healthz', '/metrics', '/nowhere']) {
      expect(await faultIn(await api.ask(path))).toBe('401 UNAUTHENTICATED')
    }
    expect((await api.ask('/healthz', { headers: { 'x-key': 'good' } })).status).toBe(200)
    expect((await api.ask('/healthz?x-key=good')).status).toBe(200)
  })

  test('its own verdict is told', async () => {
    await using api = await secured()
    expect(await faultIn(await api.ask('/healthz?x-key=banned'))).toBe('403 PERMISSION_DENIED')
  })

  test('a body is not read before', async () => {
    await using api = await secured()
    expect(await faultIn(await api.ask('/healthz', json({ x: 1 })))).toBe('401 UNAUTHENTICATED')
  })

  test('an authenticator that does not run keeps it from starting', async () => {
    await expect(runningApi({ auth: { authenticator: 'keys' } })).rejects.toThrow(
      'failed to resolve authenticator "keys": authenticator not found',
    )
  })
})

test('web pages of allowed origins may ask', async () => {
  await using api = await runningApi({ cors: { allowed_origins: ['https://*.example.com'] } })
  const response = await api.ask('/healthz', { headers: { origin: 'https://a.example.com' } })
  expect(response.headers.get('access-control-allow-origin')).toBe('https://a.example.com')
})

test('speaks TLS with the certificate it is given', async () => {
  const file = (name: string) => join(import.meta.dirname, '../../core/net/testdata', name)
  await using api = await runningApi({ tls: { cert_file: file('server.pem'), key_file: file('server.key') } })
  const ca = await readFile(file('ca.pem'))
  const request = get(api.url('/healthz').replace('http:', 'https:'), { ca, servername: 'localhost' })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  expect([response.statusCode, await text(response)]).toEqual([200, '{"status":"OK"}'])
})

test('a port that is taken keeps it from starting, and nothing is left behind', async () => {
  await using first = await runningApi()
  const second = runningApi({ endpoint: first.extension.address })
  await expect(second).rejects.toThrow('address already in use')
})
