import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-grpc'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { expect, test } from 'vitest'
import { parseYaml } from '#core/config'
import { tempDir, until } from '#core/testing'
import { validateRegistry } from '../../processors/semconv_dictionary/registry/validate-registry.test-support.ts'
import { backend, proxy } from './rig.test-support.ts'

/** A service with the SDK: spans with `attributes`, the metrics of HTTP servers and one of its own, a log record. */
async function runService(
  name: string,
  attributes: Record<string, string | number>,
  to: { grpc: string; http: string },
) {
  const resource = resourceFromAttributes({ 'service.name': name })
  const traces = new OTLPTraceExporter({ url: `http://${to.http}/v1/traces` })
  const tracers = new TracerProvider({ resource, spanProcessors: [new BatchSpanProcessor({ exporter: traces })] })
  for (let i = 0; i < 10; i++) {
    tracers
      .getTracer('http')
      .startSpan('GET', { kind: 1, attributes: { ...attributes, 'acme.order_id': `${name}-${i}` } })
      .end()
  }
  const exporter = new OTLPMetricExporter({ url: `http://${to.grpc}` })
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })
  const meters = new MeterProvider({ resource, readers: [reader] })
  const meter = meters.getMeter('http')
  meter.createHistogram('http.server.request.duration', { unit: 's' }).record(0.1, attributes)
  meter.createCounter('acme.orders', { unit: '{order}', description: 'Orders taken' }).add(3, { 'acme.shop': 'a' })
  meter.createCounter('acme.orders', { unit: '{order}', description: 'Orders taken' }).add(3, { 'acme.shop': 'b' })
  meter.createUpDownCounter('acme.open').add(1)
  meter.createGauge('acme.temperature', { unit: 'Cel' }).record(20.5)
  const logs = new OTLPLogExporter({ url: `http://${to.http}/v1/logs` })
  const loggers = new LoggerProvider({ resource, processors: [new BatchLogRecordProcessor({ exporter: logs })] })
  loggers.getLogger('app').emit({ body: 'x', eventName: 'acme.started', attributes: { 'acme.version': 2 } })
  await Promise.all([tracers.shutdown(), meters.shutdown(), loggers.shutdown()])
}

const OLD = { 'http.method': 'GET', 'http.status_code': 200, 'http.url': 'http://a/' }
const NEW = { 'http.request.method': 'GET', 'http.response.status_code': 200, 'url.full': 'http://a/' }

interface Seen {
  readonly name: string
  readonly kind: string
  readonly classification: string
  readonly signal_types: readonly string[]
  readonly services: readonly string[]
  readonly type?: string
  readonly instrument?: string
  readonly unit?: string
  readonly cardinality: number
}

test('an estate of three services is told name by name, as it was sent', { timeout: 60_000 }, async () => {
  await using dir = await tempDir()
  await using to = await backend('grpc')
  await using running = await proxy(dir.path, to.address)
  await runService('shop', OLD, running)
  await runService('cart', NEW, running)
  await runService('mail', { ...OLD, ...NEW }, running)
  await until(async () => {
    const received = await running.metric('signals_received_total')
    return received > 0 && (await running.metric('pipeline_analyzed_total')) === received
  })
  await until(async () => (await running.json('/api/v1/dictionary')).entries[0].classification !== null)
  const { entries } = (await running.json('/api/v1/dictionary?limit=1000')) as { entries: Seen[] }
  const all = 'cart mail shop'
  const both = 'metric trace'
  const table = entries.map(
    ({ name, kind, classification, signal_types, services, type, instrument, unit, cardinality }) => {
      const what = kind === 'metric' ? `${instrument} ${unit}` : (type ?? kind)
      return [name, what, classification, signal_types.join(' '), services.join(' '), cardinality]
    },
  )
  expect(table).toEqual([
    ['acme.open', 'updowncounter ', 'custom', 'metric', all, 1],
    ['acme.order_id', 'string', 'custom', 'trace', all, 30],
    ['acme.orders', 'counter {order}', 'custom', 'metric', all, 2],
    ['acme.shop', 'string', 'custom', 'metric', all, 2],
    ['acme.started', 'event', 'custom', 'log', all, 1],
    ['acme.temperature', 'gauge Cel', 'custom', 'metric', all, 1],
    ['acme.version', 'int', 'custom', 'log', all, 1],
    ['http.method', 'string', 'deprecated', both, 'mail shop', 1],
    ['http.request.method', 'string', 'matches_standard', both, 'cart mail', 1],
    ['http.response.status_code', 'int', 'matches_standard', both, 'cart mail', 1],
    ['http.server.request.duration', 'histogram s', 'matches_standard', 'metric', all, 3],
    ['http.status_code', 'int', 'deprecated', both, 'mail shop', 1],
    ['http.url', 'string', 'deprecated', both, 'mail shop', 1],
    ['service.name', 'string', 'matches_standard', 'metric trace log', all, 3],
    ['url.full', 'string', 'matches_standard', both, 'cart mail', 1],
  ])
  const exported = await (await fetch(`${running.base}/api/v1/export?format=registry&events=true`)).text()
  expect(validateRegistry(exported)).toEqual([])
  const migration = await running.json('/api/v1/migration')
  expect(migration.services_outstanding).toEqual(['mail', 'shop'])
  expect(
    migration.renames.map((each: { old_name: string; new_name: string }) => `${each.old_name} ${each.new_name}`),
  ).toEqual(['http.method http.request.method', 'http.status_code http.response.status_code', 'http.url url.full'])
  expect(parseYaml(migration.configuration)).toEqual({
    processors: {
      'attributes/semconv_migration': {
        actions: [
          { key: 'http.request.method', from_attribute: 'http.method', action: 'insert' },
          { key: 'http.method', action: 'delete' },
          { key: 'http.response.status_code', from_attribute: 'http.status_code', action: 'insert' },
          { key: 'http.status_code', action: 'delete' },
          { key: 'url.full', from_attribute: 'http.url', action: 'insert' },
          { key: 'http.url', action: 'delete' },
        ],
      },
    },
  })
})
