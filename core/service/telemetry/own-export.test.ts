import { describe, expect, test } from 'vitest'
import { configure, FakeClock, until } from '#core/testing'
import { type Backend, openBackend } from './backend.test-support.ts'
import type { OwnTelemetry } from './own-telemetry.ts'
import { telemetrySchema } from './schema.ts'
import { createTelemetry } from './telemetry.ts'

const BUILD = { command: 'millrace', description: 'Millrace', version: '1.2.3' }
const PROTOCOLS = ['grpc', 'http/protobuf', 'http/json'] as const

interface Rig extends AsyncDisposable {
  readonly own: OwnTelemetry
  readonly clock: FakeClock
  readonly stderr: readonly string[]
  readonly stdout: readonly string[]
}

async function rig(written: object): Promise<Rig> {
  const clock = new FakeClock()
  const stderr: string[] = []
  const stdout: string[] = []
  const streams = {
    stdout: { write: (text: string) => stdout.push(text) },
    stderr: { write: (text: string) => stderr.push(text) },
  }
  const off = { metrics: { level: 'none' } }
  const own = createTelemetry(configure(telemetrySchema, { ...off, ...written }), BUILD, { clock, streams })
  await own.start()
  return { own, clock, stderr, stdout, [Symbol.asyncDispose]: () => own.shutdown() }
}

function otlp(backend: Backend, more: object = {}) {
  return { otlp: { endpoint: `http://${backend.endpoint}`, headers: { 'x-tenant': 'a' }, ...more } }
}

const METRIC_READER = (exporter: object) => ({
  metrics: { level: 'basic', readers: [{ periodic: { interval: 1000, exporter } }] },
})

const PAGE = {
  metrics: { level: 'basic', readers: [{ pull: { exporter: { prometheus: { host: '127.0.0.1', port: 0 } } } }] },
}

describe.each(PROTOCOLS)('over %s', protocol => {
  test('logs, metrics and traces arrive with the resource and the headers', async () => {
    await using backend = await openBackend()
    const exporter = otlp(backend, { protocol, compression: 'gzip', headers_list: 'x-more=1%202,x-tenant=lost' })
    const { own, clock } = await rig({
      logs: { processors: [{ batch: { exporter } }] },
      traces: { processors: [{ batch: { exporter } }] },
      ...METRIC_READER(exporter),
    })
    own.logger().info('Hello', { answer: 42 })
    own.tracer('otlp').startSpan('exporter/otlp/traces').end()
    await clock.advance(5000)
    await until(() => new Set(backend.requests.map(({ signal }) => signal)).size === 3)
    await own.shutdown()
    for (const { over, path, headers, signal, body } of backend.requests) {
      expect(over).toBe(protocol === 'grpc' ? 'grpc' : 'http')
      if (over === 'http') expect(path).toBe(`/v1/${signal}`)
      expect([headers.get('x-tenant'), headers.get('x-more')]).toEqual([['a'], ['1 2']])
      expect(headers.get('user-agent')?.[0]).toMatch(/^Millrace\/1\.2\.3/)
      expect(JSON.stringify(body)).toContain('{"key":"service.name","value":{"stringValue":"millrace"}}')
    }
    const said = backend.requests.map(({ body }) => JSON.stringify(body)).join()
    for (const word of ['"Hello"', '"answer"', 'exporter/otlp/traces', 'otelcol_process_uptime']) {
      expect(said).toContain(word)
    }
  })
})

describe('where to', () => {
  test('a path in the endpoint is used as it is', async () => {
    await using backend = await openBackend()
    const exporter = otlp(backend, { endpoint: `http://${backend.endpoint}/in/logs` })
    await using rigged = await rig({ logs: { processors: [{ simple: { exporter } }] } })
    rigged.own.logger().info('Hello')
    await rigged.clock.advance(0)
    await until(() => backend.requests.length === 1)
    expect(backend.requests[0]?.path).toBe('/in/logs')
  })

  test.each(PROTOCOLS)('without a scheme %s is plaintext only when it is said to be insecure', async protocol => {
    await using backend = await openBackend()
    const exporter = { otlp: { protocol, endpoint: backend.endpoint, insecure: true } }
    await using rigged = await rig({ logs: { processors: [{ simple: { exporter } }] } })
    rigged.own.logger().info('Hello')
    await rigged.clock.advance(0)
    await until(() => backend.requests.length === 1)
  })

  test('the console gets a request a line', async () => {
    const exporter = { console: {} }
    const { own, stdout, clock } = await rig({
      logs: { processors: [{ simple: { exporter } }], output_paths: [] },
      ...METRIC_READER(exporter),
    })
    own.logger().info('Hello')
    await clock.advance(1000)
    await own.shutdown()
    const requests = stdout.map(line => Object.keys(JSON.parse(line))[0])
    expect(requests).toEqual(['resourceLogs', 'resourceMetrics', 'resourceMetrics'])
  })
})

describe('failures', () => {
  const lost = (lines: readonly string[]) => lines.filter(line => line.includes('Own telemetry is lost'))

  test('that may pass are tried again until the time is up, then counted and told once a window', async () => {
    await using backend = await openBackend()
    backend.answer(503)
    const batch = { schedule_delay: 10, export_timeout: 60_000, exporter: otlp(backend) }
    const { own, clock, stderr } = await rig({ logs: { processors: [{ batch }] }, ...PAGE })
    own.logger().info('First')
    await until(async () => {
      await clock.advance(50)
      return backend.attempts >= 3
    })
    await clock.advance(60_000)
    await until(() => lost(stderr).length === 1)
    expect(lost(stderr)[0]).toContain('HTTP Status Code 503')

    backend.answer(400)
    own.logger().info('Second')
    await clock.advance(10)
    own.logger().info('Third')
    await clock.advance(10)
    await until(async () => /lost_records.* 3$/m.test((await own.metricsText()).body))
    expect(lost(stderr)).toHaveLength(1)
    await clock.advance(10_000)
    expect(lost(stderr)[1]).toMatch(/"records":2.*Status Code 400/)
    await own.shutdown()
    expect(lost(stderr)).toHaveLength(2)
  })

  test('of exporting logs make no logs to export', async () => {
    await using backend = await openBackend()
    const { own, clock } = await rig({ logs: { processors: [{ batch: { exporter: otlp(backend) } }] } })
    backend.answer(400)
    own.logger().info('Refused')
    await clock.advance(5000)
    await until(() => backend.attempts === 1)
    backend.answer(200)
    await clock.advance(60_000)
    await own.shutdown()
    expect(backend.attempts).toBe(1)
  })

  test.each(PROTOCOLS)('over %s tell no secret', async protocol => {
    const endpoint = 'http://user:hunter2@127.0.0.1:1'
    const exporter = { otlp: { protocol, endpoint, headers: { authorization: 'hunter3' }, headers_list: 'a=hunter4' } }
    const { own, stderr } = await rig({ logs: { processors: [{ simple: { exporter } }] } })
    own.logger().info('Hello')
    await own.shutdown()
    expect(lost(stderr)).toHaveLength(1)
    expect(stderr.join()).not.toContain('hunter')
  })

  test('of a backend that does not answer hold up a shutdown for five seconds at most', async () => {
    await using backend = await openBackend()
    backend.answer('never')
    const batch = { export_timeout: 0, exporter: otlp(backend, { timeout: 0 }) }
    const { own, clock } = await rig({ logs: { processors: [{ batch }] } })
    own.logger().info('Unheard')
    const closed = own.shutdown()
    await until(() => backend.attempts === 1)
    await clock.advance(5000)
    await closed
  })

  test('a queue that is full leaves out what is new', async () => {
    await using backend = await openBackend()
    const batch = { max_queue_size: 3, exporter: otlp(backend) }
    const { own, stderr } = await rig({ logs: { sampling: { enabled: false }, processors: [{ batch }] } })
    for (let i = 0; i < 10; i++) own.logger().info(`line ${i}`)
    await own.shutdown()
    const bodies = backend.requests.map(({ body }) => JSON.stringify(body)).join()
    expect([...bodies.matchAll(/line (\d)/g)].map(([, n]) => n)).toEqual(['0', '1', '2'])
    expect(lost(stderr).join()).toMatch(/more records than the queue holds/)
  })

  test('a certificate that cannot be read fails the start', async () => {
    const exporter = { otlp: { certificate: '/does/not/exist.pem' } }
    await expect(rig({ logs: { processors: [{ batch: { exporter } }] } })).rejects.toThrow(/exist\.pem/)
  })
})

describe('batches', () => {
  test('are as long as allowed, in order, and nothing waits at shutdown', async () => {
    await using backend = await openBackend()
    const batch = { max_export_batch_size: 4, schedule_delay: 60_000, exporter: otlp(backend) }
    const { own } = await rig({ logs: { sampling: { enabled: false }, processors: [{ batch }] } })
    for (let i = 0; i < 10; i++) own.logger().info(`line ${i}`)
    await own.shutdown()
    const lines = backend.requests.map(({ body }) => [...JSON.stringify(body).matchAll(/line (\d)/g)].map(([, n]) => n))
    expect(lines).toEqual([
      ['0', '1', '2', '3'],
      ['4', '5', '6', '7'],
      ['8', '9'],
    ])
  })

  test('of traces follow the sampler and the limits', async () => {
    await using backend = await openBackend()
    const exporter = otlp(backend)
    const processors = [{ simple: { exporter } }]
    const off = await rig({ traces: { processors, sampler: { always_off: {} } } })
    off.own.tracer('x').startSpan('dropped').end()
    await off.own.shutdown()
    expect(backend.requests).toEqual([])

    const on = await rig({ traces: { processors, limits: { attribute_count_limit: 1 } } })
    on.own
      .tracer('x')
      .startSpan('kept', { attributes: { a: 1, b: 2 } })
      .end()
    await on.own.shutdown()
    expect(JSON.stringify(backend.requests[0]?.body)).toContain('"droppedAttributesCount":1')
  })

  test('level none switches traces off', async () => {
    await using backend = await openBackend()
    const { own } = await rig({ traces: { level: 'None', processors: [{ simple: { exporter: otlp(backend) } }] } })
    own.tracer('x').startSpan('never').end()
    await own.shutdown()
    expect(backend.attempts).toBe(0)
  })
})
