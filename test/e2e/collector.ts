import type { Clock, Distribution } from '#core/component'
import { Collector } from '#core/service'
import { millrace } from '../../distributions/millrace/index.ts'

/** A running collector of the full distribution, in this process. */
export interface RunningCollector extends AsyncDisposable {
  readonly collector: Collector
  /** `127.0.0.1:port` of the otlp receiver's two servers. */
  readonly grpc: string
  readonly http: string
  /** Log lines so far, parsed. */
  readonly logs: readonly LogLine[]
  /** `127.0.0.1:port` on which the component `id` listens, for one of the otlp receiver's servers when told which. */
  listens(id: string, protocol?: 'grpc' | 'http'): string
  /** Where the otlp receiver listens now, after reloads. */
  last(protocol: 'grpc' | 'http'): string
}

export interface LogLine {
  readonly level: string
  readonly msg: string
  readonly [field: string]: unknown
}

/** What a test may choose beside the configuration. */
export interface RunOptions {
  readonly distribution?: Distribution
  readonly clock?: Clock
  readonly env?: Readonly<Record<string, string>>
}

/** Starts a collector on `config`, to which quiet own telemetry is added: JSON logs that are kept, no metrics page. */
export async function runCollector(config: object, options: RunOptions = {}): Promise<RunningCollector> {
  const logs: LogLine[] = []
  const write = (text: string) => logs.push(JSON.parse(text) as LogLine)
  const collector = new Collector({
    distribution: millrace,
    config: withTelemetry(config as { service?: object }),
    env: {},
    ...options,
    streams: { stdout: { write: () => true }, stderr: { write } },
  })
  await collector.start()
  const address = (message: string) => String(logs.find(line => line.msg === message)?.endpoint)
  return {
    collector,
    logs,
    grpc: address('Starting GRPC server'),
    http: address('Starting HTTP server'),
    last: protocol => String(logs.findLast(line => line.msg === `Starting ${protocol.toUpperCase()} server`)?.endpoint),
    listens(id, protocol) {
      const ends = protocol === undefined ? '' : `${protocol.toUpperCase()} server`
      const said = logs.find(
        line => line['otelcol.component.id'] === id && line.endpoint !== undefined && line.msg.endsWith(ends),
      )
      return String(said?.endpoint)
    },
    [Symbol.asyncDispose]: () => collector.shutdown(10_000),
  }
}

/** The otlp receiver on free ports of loopback. */
export const OTLP_ON_FREE_PORTS = {
  protocols: { grpc: { endpoint: '127.0.0.1:0', max_recv_msg_size_mib: 64 }, http: { endpoint: '127.0.0.1:0' } },
}

function withTelemetry(config: { service?: object }): object {
  const telemetry = {
    logs: { level: 'debug', encoding: 'json', sampling: { enabled: false } },
    metrics: { readers: [{ pull: { exporter: { prometheus: { host: '127.0.0.1', port: 0 } } } }] },
  }
  return { ...config, service: { telemetry, ...config.service } }
}
