import { expect, test } from 'vitest'
import { until } from '#core/testing'
import { OTLP_ON_FREE_PORTS, runCollector } from './collector.ts'
import { postEachSignal } from './own-telemetry.test-support.ts'

type Level = 'basic' | 'normal' | 'detailed'

/** Items of each signal as they are called in names. */
const NOUNS = ['spans', 'metric_points', 'log_records']

function named(prefix: string): readonly string[] {
  return NOUNS.map(noun => `${prefix}_${noun}`)
}

/** The names that the Collector scrapes, of what exists here. Source: metadata.yaml of service, exporterhelper, receiverhelper, batchprocessor */
const BASIC = [
  'otelcol_process_uptime',
  'otelcol_process_cpu_seconds',
  'otelcol_process_memory_rss',
  'otelcol_process_runtime_heap_alloc_bytes',
  'otelcol_process_runtime_total_sys_memory_bytes',
  ...['accepted', 'refused', 'failed'].flatMap(outcome => named(`otelcol_receiver_${outcome}`)),
  ...['sent', 'send_failed', 'enqueue_failed'].flatMap(outcome => named(`otelcol_exporter_${outcome}`)),
  'otelcol_exporter_queue_size',
  'otelcol_exporter_queue_capacity',
  'otelcol_exporter_in_flight_requests',
  'otelcol_processor_incoming_items',
  'otelcol_processor_outgoing_items',
  'otelcol_receiver_produced_items',
  'otelcol_processor_consumed_items',
  'otelcol_processor_produced_items',
  'otelcol_connector_consumed_items',
  'otelcol_connector_produced_items',
  'otelcol_exporter_consumed_items',
  'target_info',
]
const NORMAL = [
  'otelcol_processor_batch_batch_send_size',
  'otelcol_processor_batch_batch_size_trigger_send',
  'otelcol_processor_batch_timeout_trigger_send',
  'otelcol_processor_batch_metadata_cardinality',
]
const DETAILED = [
  'otelcol_process_runtime_total_alloc_bytes',
  'otelcol_processor_batch_batch_send_size_bytes',
  'otelcol_exporter_enqueue_size',
  'otelcol_exporter_enqueue_size_bytes',
  'otelcol_exporter_queue_batch_send_size',
  'otelcol_exporter_queue_batch_send_size_bytes',
]
const LEVELS: Readonly<Record<Level, readonly string[]>> = {
  basic: BASIC,
  normal: [...BASIC, ...NORMAL],
  detailed: [...BASIC, ...NORMAL, ...DETAILED],
}

test.each(Object.entries(LEVELS))(
  'a busy collector shows at level %s the names of the Collector',
  async (level, names) => {
    const path = {
      receivers: ['otlp'],
      processors: ['batch/size', 'batch/time'],
      exporters: ['otlp_http/batching', 'forward'],
    }
    const behind = { receivers: ['forward'], exporters: ['debug'] }
    const full = { receivers: ['otlp'], exporters: ['otlp_http/full'] }
    await using backend = await runCollector({
      receivers: { otlp: OTLP_ON_FREE_PORTS },
      exporters: { nop: {} },
      service: { pipelines: Object.fromEntries(['traces', 'metrics', 'logs'].map(signal => [signal, NOWHERE])) },
    })
    await using running = await runCollector({
      receivers: { otlp: OTLP_ON_FREE_PORTS },
      processors: { 'batch/size': { send_batch_size: 1 }, 'batch/time': { timeout: '5ms', send_batch_size: 1000 } },
      exporters: {
        'otlp_http/batching': {
          endpoint: `http://${backend.http}`,
          sending_queue: { batch: { flush_timeout: '5ms', min_size: 1 } },
        },
        // Nobody listens there, and the queue takes one request.
        'otlp_http/full': {
          endpoint: 'http://127.0.0.1:1',
          sending_queue: { queue_size: 1, num_consumers: 1 },
          retry_on_failure: { max_elapsed_time: '500ms', initial_interval: '200ms', max_interval: '200ms' },
        },
        debug: {},
      },
      connectors: { forward: {} },
      service: {
        telemetry: {
          logs: { level: 'debug', encoding: 'json', sampling: { enabled: false } },
          metrics: { level, readers: [{ pull: { exporter: { prometheus: { host: '127.0.0.1', port: 0 } } } }] },
        },
        pipelines: {
          ...{ traces: path, metrics: path, logs: path },
          ...{ 'traces/full': full, 'metrics/full': full, 'logs/full': full },
          ...{ 'traces/behind': behind, 'metrics/behind': behind, 'logs/behind': behind },
        },
      },
    })
    const page = running.logs.find(line => line.msg === 'Serving the metrics page')?.endpoint
    const scraped = async () => {
      const text = await (await fetch(`http://${page}/metrics`)).text()
      return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name]) => name).sort()
    }
    for (let i = 0; i < 10; i++) await postEachSignal(running.http)
    const expected = [...names].sort()
    await until(async () => (await scraped()).length >= expected.length, { timeout: 10_000 }).catch(() => {})
    expect(await scraped()).toEqual(expected)
  },
)

const NOWHERE = { receivers: ['otlp'], exporters: ['nop'] }
