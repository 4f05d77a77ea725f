import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Child } from './child.ts'
import { answers, freePorts } from './ports.ts'

export const MILLRACE = ['distributions/millrace/main.ts'] as const

/** A collector under test, started and ready. */
export interface Subject {
  readonly child: Child
  readonly grpc: number
  readonly http: number
}

/** What stands between receiver and exporter, as YAML sections of processors. */
export interface Pipeline {
  readonly processors: Readonly<Record<string, object | null>>
  readonly compression: 'none' | 'gzip' | 'zstd'
}

/** Starts Millrace, or the Go Collector at `otelcol`, forwarding all signals to the sink by gRPC and by HTTP. */
export async function startSubject(
  pipeline: Pipeline,
  sink: { grpc: number; http: number },
  exporter: 'grpc' | 'http',
  otelcol?: string,
): Promise<Subject> {
  const [grpc, http, health] = (await freePorts(3)) as [number, number, number]
  const name = exporter === 'grpc' ? 'otlp' : 'otlphttp'
  const ids = Object.keys(pipeline.processors)
  const stage = { receivers: ['otlp'], processors: ids, exporters: [name] }
  const config = {
    receivers: {
      otlp: {
        protocols: {
          grpc: { endpoint: `127.0.0.1:${grpc}`, max_recv_msg_size_mib: 64 },
          http: { endpoint: `127.0.0.1:${http}` },
        },
      },
    },
    processors: pipeline.processors,
    exporters: {
      [name]: {
        endpoint: exporter === 'grpc' ? `127.0.0.1:${sink.grpc}` : `http://127.0.0.1:${sink.http}`,
        compression: pipeline.compression,
        tls: { insecure: true },
        sending_queue: { queue_size: 10_000 },
      },
    },
    extensions: { health_check: { endpoint: `127.0.0.1:${health}` } },
    service: {
      extensions: ['health_check'],
      telemetry: { metrics: { level: 'none' }, logs: { level: 'warn' } },
      pipelines: { traces: stage, metrics: stage, logs: stage },
    },
  }
  const file = join(mkdtempSync(join(tmpdir(), 'millrace-bench-')), 'config.yaml')
  writeFileSync(file, JSON.stringify(config))
  const child =
    otelcol === undefined
      ? new Child(process.execPath, [...MILLRACE, '--config', file])
      : new Child(otelcol, ['--config', file])
  await answers(`http://127.0.0.1:${health}/`)
  return { child, grpc, http }
}
