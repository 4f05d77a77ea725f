import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import {
  type ISerializer,
  JsonLogsSerializer,
  JsonMetricsSerializer,
  JsonTraceSerializer,
  ProtobufLogsSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer'
import { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs'
import {
  AggregationTemporality,
  AggregationType,
  InMemoryMetricExporter,
  InstrumentType,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { describe, expect, it } from 'vitest'
import { admit } from './admit.ts'
import { admitJson } from './json-in.ts'
import { toJson } from './json-out.ts'
import { decoded, itemsOf, type OtlpSignal } from './otlp.test-support.ts'
import { split } from './split.ts'

const link = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: TraceFlags.SAMPLED }

async function spans(): Promise<[Uint8Array, Uint8Array]> {
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  const tracer = provider.getTracer('shop', '1.2.3')
  const attributes = { 'http.route': '/größe', n: 5, d: 0.5, ok: true, list: ['a', 'b'], ints: [1, 2], none: [] }
  for (let i = 0; i < 3; i++) {
    const parent = tracer.startSpan('parent', { kind: SpanKind.SERVER, attributes, links: [{ context: link }] })
    const child = tracer.startSpan('child', {}, trace.setSpan(ROOT_CONTEXT, parent))
    child.addEvent('happened', { at: 'once' })
    child.setStatus({ code: SpanStatusCode.ERROR, message: 'no' })
    child.end()
    parent.end()
  }
  const finished = exporter.getFinishedSpans()
  return both(ProtobufTraceSerializer, JsonTraceSerializer, finished)
}

async function metrics(): Promise<[Uint8Array, Uint8Array]> {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })
  const aggregation = { type: AggregationType.EXPONENTIAL_HISTOGRAM } as const
  const views = [{ instrumentName: 'exponential', aggregation, instrumentType: InstrumentType.HISTOGRAM }]
  const provider = new MeterProvider({ readers: [reader], views })
  const meter = provider.getMeter('shop')
  for (let i = 1; i < 20; i++) {
    meter.createCounter('requests', { unit: '1', description: 'Requests' }).add(i, { code: 200 + (i % 3) })
    meter.createUpDownCounter('open').add(-i)
    meter.createGauge('temperature').record(i / 3, { room: i % 2 })
    meter.createHistogram('duration', { unit: 's' }).record(i * 7.5)
    meter.createHistogram('exponential').record(i * i)
  }
  await reader.forceFlush()
  const [collected] = exporter.getMetrics()
  await provider.shutdown()
  return both(ProtobufMetricsSerializer, JsonMetricsSerializer, collected!)
}

async function logs(): Promise<[Uint8Array, Uint8Array]> {
  const exporter = new InMemoryLogRecordExporter()
  const provider = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] })
  const logger = provider.getLogger('shop')
  logger.emit({ severityNumber: 9, severityText: 'INFO', body: 'started', eventName: 'start' })
  logger.emit({
    body: { deep: [1, 'two', { three: null }], bytes: Buffer.from('abc') },
    attributes: { user: 'ü', n: -1 },
  })
  logger.emit({ context: trace.setSpanContext(ROOT_CONTEXT, link), body: 2.5 })
  return both(ProtobufLogsSerializer, JsonLogsSerializer, exporter.getFinishedLogRecords())
}

function both<T>(protobuf: ISerializer<T, unknown>, json: ISerializer<T, unknown>, data: T): [Uint8Array, Uint8Array] {
  return [protobuf.serializeRequest(data)!, json.serializeRequest(data)!]
}

describe('What the OpenTelemetry SDK for JavaScript sends', () => {
  it.each([
    ['traces', spans, 6],
    ['metrics', metrics, 8],
    ['logs', logs, 3],
  ] as [OtlpSignal, () => Promise<[Uint8Array, Uint8Array]>, number][])(
    'as %s is the same in protobuf and JSON, and is shown and split without loss',
    async (signal, make, items) => {
      const [protobuf, json] = (await make()).map(bytes => Buffer.from(bytes)) as [Buffer, Buffer]
      const { payload } = admit(signal, protobuf)
      expect(payload.items).toBe(items)
      expect(payload.flat()).toBe(protobuf)
      const request = decoded(signal, protobuf)
      expect(decoded(signal, admitJson(signal, json).payload.flat())).toEqual(request)
      expect(decoded(signal, admitJson(signal, toJson(payload)).payload.flat())).toEqual(request)
      const parts = split(payload, { items: 1 })
      expect(parts).toHaveLength(items)
      expect(parts.flatMap(part => itemsOf(signal, decoded(signal, part.flat())))).toEqual(itemsOf(signal, request))
    },
  )
})
