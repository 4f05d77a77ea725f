import { type Backend, tlsOf } from './backend.ts'
import type { Settings } from './options.ts'

const SIGNALS = ['traces', 'metrics', 'logs'] as const
const PROTOCOLS = ['grpc', 'http'] as const
const STORAGE = 'file_storage'
const DICTIONARY = 'semconv_dictionary'

/**
 * The Collector configuration that a proxy runs. Each protocol has a receiver and pipelines of its own, so that what is
 * counted can be told apart.
 */
export function configurationOf(settings: Settings, backend: Backend): object {
  const exporter = `otlp_${backend.protocol}/backend`
  const at = (port: number) => `${settings['listen-host']}:${port}`
  const ports = { grpc: settings['otlp-grpc-port'], http: settings['otlp-http-port'] }
  const receivers = PROTOCOLS.map(protocol => [
    `otlp/${protocol}`,
    { protocols: { [protocol]: { endpoint: at(ports[protocol]) } } },
  ])
  const pipelines = SIGNALS.flatMap(signal =>
    PROTOCOLS.map(protocol => [
      `${signal}/${protocol}`,
      { receivers: [`otlp/${protocol}`], processors: [DICTIONARY], exporters: [exporter] },
    ]),
  )
  return {
    receivers: Object.fromEntries(receivers),
    processors: { [DICTIONARY]: dictionaryOf(settings) },
    exporters: { [exporter]: exporterOf(settings, backend) },
    extensions: {
      api: { endpoint: at(settings['api-port']) },
      [STORAGE]: { directory: settings['data-dir'], create_directory: true },
    },
    service: {
      extensions: [STORAGE, 'api'],
      pipelines: Object.fromEntries(pipelines),
      telemetry: {
        logs: {
          level: settings['log-level'],
          encoding: 'json',
          sampling: { enabled: settings['log-level'] !== 'debug' },
        },
        // Metrics are served by the API; the page that a reader has to have is out of the way.
        metrics: { readers: [{ pull: { exporter: { prometheus: { host: '127.0.0.1', port: 0 } } } }] },
      },
    },
  }
}

function dictionaryOf(settings: Settings): object {
  const registries = settings['registry-path'].split(',').map(path => path.trim())
  return {
    storage: STORAGE,
    probes: true,
    worker_count: settings['worker-count'],
    ring_buffer_size: settings['ring-buffer-size'],
    global_budget: settings['global-budget'],
    per_attribute_cap: settings['per-attr-cap'],
    shard_count: settings['shard-count'],
    stale_after: settings['stale-after'],
    purge_after: settings['purge-after'],
    registry_paths: registries.filter(path => path !== ''),
  }
}

/** Without a queue the sender hears what the backend says, so nothing is acknowledged that could be lost. */
function exporterOf(settings: Settings, { protocol, address, secure }: Backend): object {
  const { queue } = settings
  const waiting =
    queue === 'none'
      ? { sending_queue: { enabled: false }, retry_on_failure: { enabled: false } }
      : {
          sending_queue: { queue_size: 10_000, ...(queue === 'disk' ? { storage: STORAGE } : {}) },
          retry_on_failure: { initial_interval: '1s', max_elapsed_time: '0s' },
        }
  return {
    endpoint: protocol === 'grpc' ? address : `${secure ? 'https' : 'http'}://${address}`,
    tls: tlsOf(settings, secure),
    compression: settings['backend-compression'],
    ...waiting,
  }
}
