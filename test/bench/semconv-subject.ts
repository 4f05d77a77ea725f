import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Child } from './child.ts'
import { answers, freePorts } from './ports.ts'

const here = (file: string) => new URL(file, import.meta.url).pathname

/** What stands between receiver and exporter. */
export type Learning = 'off' | 'on' | 'stalled'

/** A collector that forwards to the sink, with or without the dictionary. */
export interface Forwarder {
  readonly child: Child
  readonly grpc: number
  readonly http: number
  readonly api: string
}

/** Starts a forwarder that answers its senders with what the sink says: no queue, no batch. */
export async function startForwarder(learning: Learning, sink: { grpc: number; http: number }): Promise<Forwarder> {
  const [grpc, http, api] = (await freePorts(3)) as [number, number, number]
  const directory = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  const on = learning !== 'off'
  const stage = { receivers: ['otlp'], processors: on ? ['semconv_dictionary'] : [], exporters: ['otlp_grpc'] }
  const config = {
    receivers: {
      otlp: { protocols: { grpc: { endpoint: `127.0.0.1:${grpc}` }, http: { endpoint: `127.0.0.1:${http}` } } },
    },
    processors: on ? { semconv_dictionary: { storage: 'file_storage' } } : {},
    exporters: {
      otlp_grpc: {
        endpoint: `127.0.0.1:${sink.grpc}`,
        compression: 'none',
        tls: { insecure: true },
        sending_queue: { enabled: false },
        retry_on_failure: { enabled: false },
      },
    },
    extensions: { api: { endpoint: `127.0.0.1:${api}` }, file_storage: { directory } },
    service: {
      extensions: ['file_storage', 'api'],
      telemetry: {
        logs: { level: 'warn' },
        metrics: { readers: [{ pull: { exporter: { prometheus: { host: '127.0.0.1', port: 0 } } } }] },
      },
      pipelines: { traces: stage, metrics: stage, logs: stage },
    },
  }
  const file = join(directory, 'config.yaml')
  writeFileSync(file, JSON.stringify(config))
  const main = learning === 'stalled' ? here('semconv-stalled.ts') : here('../../distributions/millrace/main.ts')
  const child = new Child(process.execPath, [main, '--config', file])
  await answers(`http://127.0.0.1:${api}/readyz`)
  return { child, grpc, http, api: `http://127.0.0.1:${api}` }
}

/** The value of an own metric without labels that matter; the sum over all its series. */
export async function metric({ api }: Forwarder, name: string): Promise<number> {
  const text = await (await fetch(`${api}/metrics`)).text()
  let sum = 0
  for (const line of text.split('\n')) if (line.startsWith(`${name}{`)) sum += Number(line.slice(line.lastIndexOf(' ')))
  return sum
}
