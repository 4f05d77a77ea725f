import { describe, expect, test } from 'vitest'
import { configure, decodePayload, FakeClock, Sink, until } from '#core/testing'
import type { OwnTelemetry } from './own-telemetry.ts'
import { checkTelemetry, type TelemetryConfig, telemetrySchema } from './schema.ts'
import { createTelemetry } from './telemetry.ts'

const BUILD = { command: 'millrace', description: 'Millrace', version: '1.2.3' }

function configOf(written: object = {}): TelemetryConfig {
  return configure(telemetrySchema, written)
}

function create(written: object = {}): { own: OwnTelemetry; clock: FakeClock; lines: string[] } {
  const clock = new FakeClock()
  const lines: string[] = []
  const streams = { stdout: { write: () => true }, stderr: { write: (line: string) => lines.push(line) } }
  return { own: createTelemetry(configOf(written), BUILD, { clock, streams }), clock, lines }
}

test('the defaults are the Collector’s', () => {
  const config = configOf()
  expect(config.logs).toMatchObject({ level: 'info', encoding: 'console', output_paths: ['stderr'] })
  expect(config.logs.sampling).toEqual({ tick: 10_000, initial: 10, thereafter: 100 })
  expect(config.metrics.level).toBe('normal')
  expect(config.metrics.readers[0]?.pull?.exporter.prometheus).toMatchObject({ host: 'localhost', port: 8888 })
})

test('faults across options are told in the Collector’s words', () => {
  const config = configOf({ metrics: { views: [{}] } })
  const metrics = { ...config.metrics, readers: [] }
  expect([...checkTelemetry({ ...config, metrics })]).toEqual([
    'metrics: collector telemetry metrics reader should exist when metric level is not none',
    'metrics::views: service::telemetry::metrics::views can only be set when service::telemetry::metrics::level is detailed',
  ])
  expect([...checkTelemetry({ ...config, metrics: { ...metrics, level: 'none', views: [] } })]).toEqual([])
})

test('lines carry the resource and what the loggers add', async () => {
  const { own, lines } = create({ logs: { encoding: 'json', initial_fields: { site: 'a' } } })
  own.logger({ 'otelcol.component.id': 'otlp' }).info('Hello')
  const line = JSON.parse(lines[0]!)
  expect(line).toMatchObject({ msg: 'Hello', site: 'a', 'otelcol.component.id': 'otlp' })
  expect(line.resource).toMatchObject({ 'service.name': 'millrace', 'service.version': '1.2.3' })
  await own.shutdown()
})

describe('the metrics page', () => {
  test('shows own metrics, the process and target_info, and nothing else', async () => {
    const logs: string[] = []
    const reader = { pull: { exporter: { prometheus: { host: '127.0.0.1', port: 0 } } } }
    const config = configOf({ logs: { level: 'debug' }, metrics: { level: 'normal', readers: [reader] } })
    const own = createTelemetry(config, BUILD, {
      streams: { stdout: { write: () => true }, stderr: { write: l => logs.push(l) } },
    })
    await own.start()
    const address = /metrics page.*"endpoint":"([^"]+)"/.exec(logs.join(''))?.[1]
    const page = await fetch(`http://${address}/metrics`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toMatch(/^text\/plain/)
    const body = await page.text()
    expect(body).toMatch(/^otelcol_process_uptime \d/m)
    expect(body).toMatch(/^otelcol_process_memory_rss \d{6,}/m)
    expect(body).toMatch(/^target_info\{service_name="millrace",service_version="1.2.3",/m)
    expect((await fetch(`http://${address}/`)).status).toBe(404)
    expect((await fetch(`http://${address}/metrics`, { method: 'POST' })).status).toBe(405)
    await own.shutdown()
    await expect(fetch(`http://${address}/metrics`)).rejects.toThrow()
  })
})

describe('own signals in a pipeline', () => {
  test('spans, metrics and logs arrive as OTLP with the collector’s resource', async () => {
    const { own, clock } = create()
    const [traces, metrics, logs] = [new Sink(), new Sink(), new Sink()]
    const stop = own.subscribe({ traces, metrics, logs }, { metricsInterval: 5000 })
    own.logger().warn('Disk is nearly full', { free: 3, error: new Error('soon') })
    const tracer = own.tracer('test')
    // The SDK is loaded when the first taker comes: spans begin to be recorded soon after.
    await until(() => {
      const span = tracer.startSpan('exporter/otlp')
      const recording = span.isRecording()
      span.end()
      return recording
    })
    await clock.advance(6000)
    await until(() => traces.payloads.length > 0 && metrics.payloads.length > 0 && logs.payloads.length > 0)
    const name = { key: 'service.name', value: { stringValue: 'millrace' } }
    for (const [sink, field] of [
      [traces, 'resourceSpans'],
      [metrics, 'resourceMetrics'],
      [logs, 'resourceLogs'],
    ] as const) {
      const request = decodePayload(sink.payloads[0]!) as Record<string, { resource: { attributes: unknown[] } }[]>
      expect(request[field]?.[0]?.resource.attributes).toContainEqual(name)
    }
    expect(JSON.stringify(decodePayload(logs.payloads[0]!))).toContain('Disk is nearly full')
    expect(JSON.stringify(decodePayload(metrics.payloads[0]!))).toContain('otelcol_process_uptime')
    stop()
    own.logger().warn('Not any more')
    await clock.advance(60_000)
    expect(logs.payloads).toHaveLength(1)
    await own.shutdown()
  })

  test('a taker that refuses costs nothing but what it refused', async () => {
    const { own, clock } = create()
    const logs = { consume: () => Promise.reject(new Error('full')) }
    own.subscribe({ logs })
    for (let i = 0; i < 3000; i++) own.logger().info(`line ${i}`)
    await clock.advance(2000)
    own.logger().info('still here')
    await own.shutdown()
  })
})
