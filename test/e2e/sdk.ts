import { type Attributes, context, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPLogExporter as GrpcLogs } from '@opentelemetry/exporter-logs-otlp-grpc'
import { OTLPLogExporter as JsonLogs } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPLogExporter as ProtoLogs } from '@opentelemetry/exporter-logs-otlp-proto'
import { OTLPMetricExporter as GrpcMetrics } from '@opentelemetry/exporter-metrics-otlp-grpc'
import { OTLPMetricExporter as JsonMetrics } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPMetricExporter as ProtoMetrics } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter as GrpcTraces } from '@opentelemetry/exporter-trace-otlp-grpc'
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtoTraces } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  ProtobufLogsSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

export type Protocol = 'grpc' | 'http/protobuf' | 'http/json'
export const PROTOCOLS: readonly Protocol[] = ['grpc', 'http/protobuf', 'http/json']

/** What the SDK handed to its exporters, as its own serializers write it. */
export interface Sent {
  readonly traces: Buffer[]
  readonly metrics: Buffer[]
  readonly logs: Buffer[]
}

interface Exporter {
  export(items: never, done: (result: { code: number; error?: Error }) => void): void
}

/**
 * An application with the OpenTelemetry SDK: traces with events, links and nested attributes, every kind of instrument,
 * and log records, exported by `protocol`. Resolves to what was exported.
 * @throws when an export fails
 */
export async function runApplication(protocol: Protocol, at: { grpc: string; http: string }): Promise<Sent> {
  const sent: Sent = { traces: [], metrics: [], logs: [] }
  const failures: Error[] = []
  /** Remembers what goes to an exporter. */
  function watch<E extends Exporter>(
    exporter: E,
    into: Buffer[],
    serialize: (items: never) => Uint8Array | undefined,
  ): E {
    const original = exporter.export.bind(exporter)
    exporter.export = (items, done) => {
      into.push(Buffer.from(serialize(items) ?? []))
      original(items, result => {
        if (result.error !== undefined) failures.push(result.error)
        done(result)
      })
    }
    return exporter
  }
  const exporters = make(protocol, at)
  const resource = resourceFromAttributes({
    'service.name': 'checkout',
    'service.instance.id': 'i-1',
    zones: ['a', 'b'],
  })

  const traces = watch(exporters.traces, sent.traces, items => ProtobufTraceSerializer.serializeRequest(items))
  const tracers = new TracerProvider({ resource, spanProcessors: [new BatchSpanProcessor({ exporter: traces })] })
  makeSpans(tracers)
  await tracers.forceFlush()

  const logs = watch(exporters.logs, sent.logs, items => ProtobufLogsSerializer.serializeRequest(items))
  const loggers = new LoggerProvider({ resource, processors: [new BatchLogRecordProcessor({ exporter: logs })] })
  makeLogs(loggers)
  await loggers.forceFlush()

  const metrics = watch(exporters.metrics, sent.metrics, items => ProtobufMetricsSerializer.serializeRequest(items))
  const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 3_600_000 })
  const meters = new MeterProvider({ resource, readers: [reader] })
  makeMetrics(meters)
  await meters.forceFlush()

  await Promise.all([tracers.shutdown(), loggers.shutdown(), meters.shutdown()])
  if (failures.length > 0) throw new AggregateError(failures, failures.map(f => f.message).join('; '))
  return sent
}

function make(protocol: Protocol, at: { grpc: string; http: string }) {
  const url = (path: string) => (protocol === 'grpc' ? `http://${at.grpc}` : `http://${at.http}/v1/${path}`)
  const [Traces, Metrics, Logs] = {
    grpc: [GrpcTraces, GrpcMetrics, GrpcLogs] as const,
    'http/protobuf': [ProtoTraces, ProtoMetrics, ProtoLogs] as const,
    'http/json': [JsonTraces, JsonMetrics, JsonLogs] as const,
  }[protocol]
  return {
    traces: new Traces({ url: url('traces') }),
    metrics: new Metrics({ url: url('metrics') }),
    logs: new Logs({ url: url('logs') }),
  }
}

const ATTRIBUTES: Attributes = {
  'http.request.method': 'POST',
  'http.response.status_code': 201,
  ratio: 0.25,
  large: 2 ** 53 - 1,
  negative: -42,
  flag: true,
  'häßlich 🎈': 'naïve "quotes" \\ \n',
  list: ['a', 'b'],
  numbers: [1, 2, 3],
  empty: '',
}

function makeSpans(provider: TracerProvider): void {
  const tracer = provider.getTracer('shop', '1.2.3')
  const parent = tracer.startSpan('POST /orders', { kind: 1, attributes: ATTRIBUTES })
  parent.addEvent('charged', { amount: 12.5, retries: 0 })
  parent.recordException(new Error('Card declined'))
  parent.setStatus({ code: 2, message: 'declined' })
  const linked = {
    traceId: '5b8efff798038103d269b633813fc60c',
    spanId: 'eee19b7ec3c1b174',
    traceFlags: TraceFlags.SAMPLED,
  }
  for (let i = 0; i < 150; i++) {
    tracer
      .startSpan(
        `step ${i}`,
        { links: [{ context: linked, attributes: { i } }] },
        trace.setSpan(context.active(), parent),
      )
      .end()
  }
  parent.end()
}

function makeLogs(provider: LoggerProvider): void {
  const logger = provider.getLogger('shop.orders', '9')
  const bodies = [
    'Order accepted',
    { nested: { list: [1, 'two', null, 3.5], flag: false } },
    ['a', 1],
    'ünïcode 🎈',
  ] as const
  for (const [i, body] of bodies.entries()) {
    logger.emit({
      severityNumber: 9 + i,
      severityText: 'INFO',
      body: body as never,
      attributes: { i, ...ATTRIBUTES },
      eventName: `order.${i}`,
    })
  }
}

function makeMetrics(provider: MeterProvider): void {
  const meter = provider.getMeter('shop.metrics')
  const counter = meter.createCounter('orders', { unit: '{order}', description: 'Orders taken' })
  const histogram = meter.createHistogram('order.value', { unit: 'EUR' })
  for (let i = 0; i < 20; i++) {
    counter.add(i, { shop: `s${i % 3}` })
    histogram.record(i * 10.5, { shop: `s${i % 3}` })
  }
  meter.createUpDownCounter('open').add(-3)
  meter.createGauge('temperature').record(21.75)
  meter.createObservableGauge('observed').addCallback(result => result.observe(7, { a: 'b' }))
}
