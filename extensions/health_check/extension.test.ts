import { expect, test } from 'vitest'
import type { Status } from '#core/component'
import { configure, TestHost, testContext } from '#core/testing'
import { checkHealthCheckConfig, healthCheckConfig } from './config.ts'
import { HealthCheckExtension } from './extension.ts'

async function running(written: object = {}, extensions = {}) {
  const host = new TestHost(extensions)
  const context = testContext({ id: 'health_check', kind: 'extension' })
  const config = configure(healthCheckConfig, { endpoint: '127.0.0.1:0', ...written })
  const extension = new HealthCheckExtension(config, context)
  await extension.start(host)
  return {
    host,
    context,
    get: (path = '/', init: RequestInit = {}) => fetch(`http://${extension.address}${path}`, init),
    become(status: Status) {
      host.emit({ kind: 'receiver', id: 'otlp', pipelines: ['traces'] }, { status })
    },
    [Symbol.asyncDispose]: () => extension.shutdown(),
  }
}

test('a running collector is available since it started', async () => {
  await using check = await running()
  check.become('OK')
  await check.context.fakeClock.advance(3_723_500)
  const response = await check.get()
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(await response.json()).toEqual({
    status: 'Server available',
    upSince: '2026-01-01T00:00:00.000Z',
    uptime: '1h2m3.5s',
  })
})

test('a collector that starts is not available', async () => {
  await using check = await running()
  const response = await check.get()
  expect(response.status).toBe(503)
  expect(await response.json()).toEqual({
    status: 'Server not available',
    upSince: '0001-01-01T00:00:00Z',
    uptime: '',
  })
})

test.each([
  ['OK', 200],
  ['RecoverableError', 200],
  ['PermanentError', 200],
  ['FatalError', 503],
  ['Stopping', 503],
] as const)('%s is answered with %i', async (status, expected) => {
  await using check = await running()
  check.become(status)
  expect((await check.get()).status).toBe(expected)
})

test('the answer follows the components', async () => {
  await using check = await running()
  const statuses = []
  for (const status of ['Starting', 'OK', 'Stopping'] as const) {
    check.become(status)
    statuses.push((await check.get()).status)
  }
  expect(statuses).toEqual([503, 200, 503])
})

test('the root path stands for every path', async () => {
  await using check = await running()
  check.become('OK')
  expect((await check.get('/any/where')).status).toBe(200)
})

test('another path answers itself only', async () => {
  await using check = await running({ path: '/health' })
  check.become('OK')
  expect((await check.get('/health?verbose')).status).toBe(200)
  expect((await check.get('/')).status).toBe(404)
  expect((await check.get('/health/x')).status).toBe(404)
})

test('fixed bodies are sent as text', async () => {
  await using check = await running({ response_body: { healthy: 'up', unhealthy: 'down' } })
  expect(await (await check.get()).text()).toBe('down')
  check.become('OK')
  const response = await check.get()
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(await response.text()).toBe('up')
})

test('who may ask is decided by the authenticator', async () => {
  const authenticator = {
    async authenticate(headers: ReadonlyMap<string, readonly string[]>) {
      if (headers.get('authorization')?.[0] !== 'Bearer x') throw new Error('no')
      return { attribute: () => undefined, names: [] }
    },
  }
  await using check = await running({ auth: { authenticator: 'bearer' } }, { bearer: authenticator })
  check.become('OK')
  expect((await check.get()).status).toBe(401)
  expect((await check.get('/', { headers: { authorization: 'Bearer x' } })).status).toBe(200)
})

test('an authenticator that does not run keeps it from starting', async () => {
  await expect(running({ auth: { authenticator: 'bearer' } })).rejects.toThrow(
    'failed to resolve authenticator "bearer": authenticator not found',
  )
})

test.each([
  [{ endpoint: '' }, 'bad config: endpoint must be specified'],
  [{ path: 'health' }, 'bad config: path must start with /'],
  [
    { check_collector_pipeline: { exporter_failure_threshold: 0 } },
    'bad config: exporter_failure_threshold expects a positive number',
  ],
  [{ tls: {} }, 'tls: TLS configuration must include both certificate and key for server connections'],
])('%j is refused', (written, fault) => {
  expect([...checkHealthCheckConfig(configure(healthCheckConfig, written))]).toEqual([fault])
})
