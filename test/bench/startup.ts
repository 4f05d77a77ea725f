import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Child } from './child.ts'
import { answers, freePorts } from './ports.ts'
import { MILLRACE } from './subject.ts'

const RUNS = 10

/**
 * Milliseconds from spawning node to `/readyz` answering 200, for the full distribution with OTLP over gRPC and HTTP.
 * Cold is the first start with an empty compile cache, warm the median of ten with it filled.
 */
export async function startupMillis(): Promise<{ cold: number; warm: number }> {
  const dir = mkdtempSync(join(tmpdir(), 'millrace-start-'))
  const [grpc, http, api, health] = await freePorts(4)
  const pipeline = { receivers: ['otlp'], processors: ['batch'], exporters: ['debug'] }
  const file = join(dir, 'config.yaml')
  writeFileSync(
    file,
    JSON.stringify({
      receivers: {
        otlp: { protocols: { grpc: { endpoint: `127.0.0.1:${grpc}` }, http: { endpoint: `127.0.0.1:${http}` } } },
      },
      processors: { batch: null },
      exporters: { debug: null },
      extensions: { api: { endpoint: `127.0.0.1:${api}` }, health_check: { endpoint: `127.0.0.1:${health}` } },
      service: {
        extensions: ['api', 'health_check'],
        telemetry: {
          metrics: { readers: [{ pull: { exporter: { prometheus: { port: 0 } } } }] },
          logs: { level: 'warn' },
        },
        pipelines: { traces: pipeline, metrics: pipeline, logs: pipeline },
      },
    }),
  )
  const env = { NODE_COMPILE_CACHE: join(dir, 'cache') }
  async function once(): Promise<number> {
    const started = performance.now()
    const child = new Child(process.execPath, [...MILLRACE, '--config', file], env)
    await answers(`http://127.0.0.1:${api}/readyz`)
    const millis = performance.now() - started
    await child.stop()
    return millis
  }
  const cold = await once()
  await once()
  const warm: number[] = []
  for (let i = 0; i < RUNS; i++) warm.push(await once())
  rmSync(dir, { recursive: true })
  return { cold, warm: warm.sort((a, b) => a - b)[RUNS / 2]! }
}
