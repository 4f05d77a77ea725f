import { describe, expect, test } from 'vitest'
import { aPoint, aSpan, configure, logs, metricsOf, payloadOf, testContext, tracesOf, until } from '#core/testing'
import { apiConfig } from '../../../extensions/api/config.ts'
import { ApiExtension } from '../../../extensions/api/extension.ts'
import { otlpReceiver } from '../../../receivers/otlp/index.ts'
import { validateRegistry } from '../registry/validate-registry.test-support.ts'
import { FlakyStorage, running } from '../rig.test-support.ts'

const RECEIVER = { kind: otlpReceiver.kind, id: 'otlp', pipelines: ['traces'] } as const

/** A dictionary with some entries, behind an api extension. */
async function serving(written: object = {}, options: Parameters<typeof running>[1] = {}) {
  const rig = await running({ per_attribute_cap: 5, ...written }, options)
  const api = new ApiExtension(
    configure(apiConfig, { endpoint: '127.0.0.1:0' }),
    testContext({ id: 'api', kind: 'extension' }),
  )
  rig.host.add(rig.processors.traces)
  await api.start(rig.host)
  await rig.learner.classified
  const ask = (path: string, init: RequestInit = {}) => fetch(`http://${api.address}${path}`, init)
  return {
    ...rig,
    ask,
    json: async (path: string, init: RequestInit = {}) => (await ask(path, init)).json() as Promise<Tree>,
    async learn(payload: ReturnType<typeof payloadOf>) {
      const before = rig.counter('pipeline_analyzed_total')
      await rig.send(payload)
      await until(() => rig.counter('pipeline_analyzed_total') === before + payload.items)
    },
    async [Symbol.asyncDispose]() {
      await api.shutdown()
      await rig.shutdown()
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers are compared with what they should be
type Tree = any

const spans = (attributes: Record<string, string>, service = 'shop', n = 1) =>
  payloadOf(
    'traces',
    tracesOf(
      Array.from({ length: n }, () => aSpan({ attributes })),
      { resource: { 'service.name': service } },
    ),
  )
const metrics = () =>
  payloadOf(
    'metrics',
    metricsOf([
      {
        name: 'acme.size',
        unit: 'By',
        description: 'Size',
        gauge: { dataPoints: [aPoint({ attributes: { k: 'v' } })] },
      },
    ]),
  )
const names = (tree: Tree) => tree.entries.map((each: Tree) => each.name)

describe('GET /api/v1/dictionary', () => {
  test('of an empty dictionary has a total of 0', async () => {
    await using rig = await serving()
    expect(await rig.json('/api/v1/dictionary')).toEqual({
      total: 0,
      dictionary_entries: 0,
      offset: 0,
      limit: 100,
      entries: [],
    })
  })

  test('shows, filters, sorts and pages', async () => {
    await using rig = await serving()
    await rig.learn(spans({ 'http.method': 'GET', 'acme.order': '1' }))
    await rig.learn(metrics())
    await rig.learn(logs(10))
    const all = await rig.json('/api/v1/dictionary')
    expect(names(all)).toEqual(['acme.order', 'acme.size', 'http.method', 'k', 'n', 'service.name'])
    expect(all.entries[2]).toEqual({
      name: 'http.method',
      kind: 'attribute',
      classification: 'deprecated',
      replacement: 'http.request.method',
      note: 'Replaced by `http.request.method`.',
      signal_types: ['trace'],
      status: 'active',
      cardinality: 1,
      estimated: false,
      overflowed: false,
      count: 1,
      services: ['shop'],
      first_seen: expect.stringMatching(/^\d{4}-.*Z$/),
      last_seen: expect.stringMatching(/^\d{4}-.*Z$/),
      type: 'string',
    })
    expect(all.entries[1]).toMatchObject({ kind: 'metric', instrument: 'gauge', unit: 'By', attributes: ['k'] })
    const cases: [string, string[]][] = [
      ['q=http.*', ['http.method']],
      ['q=order', ['acme.order']],
      ['type=metric', ['acme.size', 'k', 'service.name']],
      ['kind=metric', ['acme.size']],
      ['classification=deprecated', ['http.method']],
      ['service=shop', ['acme.order', 'http.method', 'service.name']],
      ['status=stale', []],
      ['sort=cardinality&order=desc&limit=2', ['n', 'service.name']],
      ['limit=1&offset=1', ['acme.size']],
    ]
    for (const [query, expected] of cases) {
      const found = await rig.json(`/api/v1/dictionary?${query}`)
      expect(names(found), query).toEqual(expected)
      if (!query.includes('limit')) expect(found.total).toBe(expected.length)
    }
  })

  test('one entry is told whole', async () => {
    await using rig = await serving()
    await rig.learn(spans({ 'http.method': 'GET' }, 'shop', 3))
    await rig.learn(spans({ 'http.method': 'PUT' }, 'cart', 1))
    expect(await rig.json('/api/v1/dictionary/http.method')).toMatchObject({
      cardinality: 2,
      value_kinds: ['string'],
      places: ['span'],
      span_kinds: { server: 4 },
      services: [
        { name: 'shop', count: 3 },
        { name: 'cart', count: 1 },
      ],
    })
    const absent = await rig.ask('/api/v1/dictionary/no%2Fsuch')
    expect([absent.status, await absent.json()]).toEqual([
      404,
      { error: 'No entry named "no/such"', code: 'NOT_FOUND' },
    ])
  })
})

test('requests are told at debug', async () => {
  await using rig = await serving()
  await rig.ask('/api/v1/cardinality?threshold=7')
  await rig.ask('/api/v1/export')
  const lines = rig.context.logger.lines.filter(line => line.message === 'API request')
  expect(lines.map(line => [line.level, line.fields?.method, line.fields?.path, line.fields?.status])).toEqual([
    ['debug', 'GET', '/api/v1/cardinality', 200],
    ['debug', 'GET', '/api/v1/export', undefined],
  ])
})

test('GET /api/v1/cardinality shows the most different first, and the budget', async () => {
  await using rig = await serving({ global_budget: 1000 })
  await rig.learn(logs(10))
  const answer = await rig.json('/api/v1/cardinality?threshold=2')
  expect(answer).toMatchObject({
    utilization_pct: 1.3,
    global_budget: { used: 13, limit: 1000, utilization_pct: 1.3 },
    total: 1,
  })
  expect(answer.attributes).toEqual([
    {
      name: 'n',
      kind: 'attribute',
      signal_types: ['log'],
      cardinality: 10,
      estimated: false,
      cap: 5,
      utilization_pct: 200,
      overflowed: true,
    },
  ])
  expect((await rig.json('/api/v1/cardinality')).attributes).toEqual([])
})

test('GET /api/v1/export is YAML that registries take', async () => {
  await using rig = await serving()
  expect(await (await rig.ask('/api/v1/export?format=registry')).text()).toBe('groups: []\n')
  await rig.learn(spans({ 'http.method': 'GET' }))
  await rig.learn(metrics())
  const answer = await rig.ask('/api/v1/export?format=registry')
  expect(answer.headers.get('content-type')).toMatch(/^text\/yaml/)
  const text = await answer.text()
  expect(validateRegistry(text)).toEqual([])
  expect(text.match(/- id: "(metric|trace)\.[^"]*"/g)).toHaveLength(4)
  expect(await (await rig.ask('/api/v1/export?format=registry&type=metric&prefix=acme')).text()).toContain(
    'metric.acme.size',
  )
})

test.each([
  ['/api/v1/export', 400, 'BAD_REQUEST', 'Only format "registry" is supported, none was given'],
  ['/api/v1/export?format=xml', 400, 'BAD_REQUEST', 'Only format "registry" is supported, not "xml"'],
  ['/api/v1/export?format=registry&type=span', 400, 'INVALID_REQUEST', /type must be one of/],
  ['/api/v1/cardinality?threshold=many', 400, 'INVALID_REQUEST', 'Invalid query: threshold must be number'],
  ['/api/v1/dictionary?type=logs', 400, 'INVALID_REQUEST', /type/],
  ['/api/v1/dictionary?limit=1001', 400, 'INVALID_REQUEST', /limit must be <= 1000/],
  ['/api/v1/diff', 400, 'BAD_REQUEST', /"from" is missing/],
  ['/api/v1/diff?from=x', 404, 'NOT_FOUND', /No snapshot "x"/],
  ['/api/v1/snapshots/x', 404, 'NOT_FOUND', /No snapshot "x"/],
])('GET %s is refused', async (path, status, code, error) => {
  await using rig = await serving()
  const answer = await rig.ask(path)
  expect(answer.status).toBe(status)
  expect(await answer.json()).toEqual({ code, error: typeof error === 'string' ? error : expect.stringMatching(error) })
})

describe('probes', () => {
  test('say alive, loading with components, then ready with entries', async () => {
    await using rig = await serving({ probes: true }, { storage: new FlakyStorage() })
    expect(await rig.json('/healthz')).toEqual({ status: 'alive' })
    const early = await rig.ask('/readyz')
    expect([early.status, await early.json()]).toEqual([
      503,
      {
        status: 'loading',
        dictionary_entries: 0,
        components: [
          { name: 'dictionary', status: 'OK' },
          { name: 'receiver', status: 'STARTING' },
          { name: 'api', status: 'OK' },
          { name: 'storage', status: 'OK' },
        ],
      },
    ])
    rig.host.emit(RECEIVER, { status: 'OK' })
    await rig.learn(logs(1))
    const later = await rig.ask('/readyz')
    expect([later.status, await later.json()]).toEqual([200, { status: 'ready', dictionary_entries: 2 }])
  })

  test('stay ready while storage is degraded, and say so', async () => {
    const storage = new FlakyStorage()
    await using rig = await serving({ probes: true }, { storage })
    rig.host.emit(RECEIVER, { status: 'OK' })
    storage.failing = true
    await rig.learn(logs(1))
    await until(async () => (await rig.json('/readyz')).components !== undefined)
    const answer = await rig.ask('/readyz')
    expect(answer.status).toBe(200)
    expect((await answer.json()) as Tree).toMatchObject({
      status: 'ready',
      components: expect.arrayContaining([
        { name: 'storage', status: 'DEGRADED', detail: 'Cannot store the dictionary: no space left on device' },
      ]),
    })
  })
})

test('an upgrade reads as one rename, with its progress and what would finish it', async () => {
  const storage = new FlakyStorage()
  await using rig = await serving({}, { storage })
  await rig.learn(spans({ 'http.method': 'GET', 'acme.a': '1' }, 'shop', 2))
  const created = await rig.ask('/api/v1/snapshots', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"id":"before"}',
  })
  expect([created.status, created.headers.get('location')]).toEqual([201, '/api/v1/snapshots/before'])
  const then = Date.now()
  await until(() => Date.now() > then)
  await rig.learn(spans({ 'http.request.method': 'GET', 'acme.a': '1', 'acme.b': '1' }, 'cart', 3))
  const { changes } = await rig.json('/api/v1/diff?from=before')
  expect(changes.attributes).toEqual([
    { type: 'added', name: 'acme.b', classification: 'custom' },
    { type: 'renamed', name: 'http.request.method', old_name: 'http.method', complete: true },
  ])
  const migration = await rig.json('/api/v1/migration')
  expect(migration).toMatchObject({
    migrated_pct: 60,
    services_outstanding: ['shop'],
    renames: [
      {
        old_name: 'http.method',
        new_name: 'http.request.method',
        documented: true,
        services: [
          { service: 'cart', old: 0, new: 3, state: 'migrated' },
          { service: 'shop', old: 2, new: 0, state: 'outstanding' },
        ],
      },
    ],
  })
  const again = await rig.ask('/api/v1/snapshots', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"id":"before"}',
  })
  expect(again.status).toBe(409)
  expect((await rig.ask('/api/v1/snapshots', { method: 'POST' })).status).toBe(201)
  expect((await rig.json('/api/v1/snapshots')).snapshots).toHaveLength(2)
  await rig.shutdown()
  await using restarted = await serving({}, { storage })
  expect((await restarted.json('/api/v1/snapshots')).snapshots[0]).toMatchObject({ id: 'before', entries: 3 })
  expect((await restarted.ask('/api/v1/snapshots/before', { method: 'DELETE' })).status).toBe(204)
  expect((await restarted.json('/api/v1/snapshots')).snapshots).toHaveLength(1)
})
