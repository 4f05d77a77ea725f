import { writeFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Child } from '../bench/child.ts'
import { answers, freePorts } from '../bench/ports.ts'
import type { OverloadJob, OverloadOutcome } from './overload-load.ts'

export interface OverloadOptions {
  readonly protocol: 'grpc' | 'http'
  /** How long the overload lasts. */
  readonly seconds: number
  /** How long the rate that can be carried is measured. */
  readonly calibration: number
  /** The collector's `limit_mib`. */
  readonly limitMiB: number
}

export interface OverloadReport {
  /** Requests a second: what the collector forwarded with a backend that takes all, and what was offered. */
  readonly capacity: number
  readonly carried: number
  readonly offered: number
  readonly outcome: OverloadOutcome
  /** Refusals that tell a sender to give up. */
  readonly final: number
  /** Spans that were accepted, and that the backend got. */
  readonly accepted: number
  readonly arrived: number
  /** Requests a second that reached the backend during the overload. */
  readonly forwarded: number
  /** Resident memory in MiB, once a second from the start of the overload. */
  readonly rss: readonly number[]
  /** CPU seconds a second that the collector used while overloaded. */
  readonly cpu: number
  readonly exitCode: number | null
}

const ITEMS = 100
/** Codes and statuses after which a sender tries again. Source: https://opentelemetry.io/docs/specs/otlp/#failures */
const RETRYABLE = {
  grpc: new Set(['1', '4', '10', '11', '14', '15']),
  http: new Set(['429', '502', '503', '504']),
}

const script = (name: string) => join(import.meta.dirname, name)

/**
 * Measures how much the collector can carry, halves the backend's rate so that twice of what the whole can carry is
 * what the collector can just take in, offers that, and counts.
 */
export async function runOverload(options: OverloadOptions): Promise<OverloadReport> {
  const { protocol } = options
  await using scope = new AsyncDisposableStack()
  const dir = await mkdtemp(join(tmpdir(), 'millrace-overload-'))
  scope.defer(() => rm(dir, { recursive: true, force: true }))
  const run: Run = (...args) => {
    const child = new Child(process.execPath, args)
    scope.defer(() => child.stop('SIGKILL'))
    return child
  }
  const sink = run(script('overload-sink.ts'))
  const load = run(script('overload-load.ts'))
  const backend = await sink.read<{ grpc: number; http: number }>()
  const ask = async (order: object) => {
    sink.write(order)
    return (await sink.read<{ items: number }>()).items
  }
  const { child, port } = await startCollector(run, dir, options, backend)
  const offer = async (job: Pick<OverloadJob, 'seconds' | 'rate' | 'inFlight'>) => {
    load.write({ protocol, port, items: ITEMS, ...job })
    return await load.read<OverloadOutcome>()
  }

  const calibration = await offer({ seconds: options.calibration, inFlight: 64 })
  const capacity = calibration.accepted / calibration.seconds
  const carried = capacity / 2
  const before = await ask({ rate: carried * ITEMS })
  const rss: number[] = []
  const sampler = setInterval(() => void residentMiB(child.pid).then(mib => rss.push(mib)), 1000)
  const cpuBefore = child.cpuSeconds()
  const outcome = await offer({ seconds: options.seconds, rate: 2 * carried, inFlight: 512 })
  clearInterval(sampler)
  const cpu = (child.cpuSeconds() - cpuBefore) / outcome.seconds
  const forwarded = ((await ask({ rate: null })) - before) / ITEMS / outcome.seconds

  await child.stop()
  const exitCode = await child.exited
  const arrived = await ask({})
  const final = Object.entries(outcome.refused).filter(([status]) => !RETRYABLE[protocol].has(status))
  return {
    capacity,
    carried,
    offered: 2 * carried,
    outcome,
    final: final.reduce((sum, [, count]) => sum + count, 0),
    accepted: (calibration.accepted + outcome.accepted) * ITEMS,
    arrived,
    forwarded,
    rss,
    cpu,
    exitCode,
  }
}

/** Starts a process that ends with the run. */
type Run = (...args: readonly string[]) => Child

async function startCollector(
  run: Run,
  dir: string,
  options: OverloadOptions,
  backend: { grpc: number; http: number },
) {
  const [port, health] = (await freePorts(2)) as [number, number]
  const { protocol, limitMiB } = options
  const limiter = { check_interval: '1s', limit_mib: limitMiB }
  const exporter = protocol === 'grpc' ? 'otlp_grpc' : 'otlp_http'
  const endpoint = protocol === 'grpc' ? `127.0.0.1:${backend.grpc}` : `http://127.0.0.1:${backend.http}`
  const config = {
    receivers: {
      otlp: { protocols: { [protocol]: { endpoint: `127.0.0.1:${port}`, middlewares: [{ id: 'memory_limiter' }] } } },
    },
    processors: { memory_limiter: limiter },
    exporters: {
      [exporter]: {
        endpoint,
        compression: 'none',
        tls: { insecure: true },
        timeout: '60s',
        // Larger than memory: what bounds it is the limiter.
        sending_queue: { sizer: 'items', queue_size: 1_000_000_000, drain_timeout: '5m' },
      },
    },
    extensions: { memory_limiter: limiter, health_check: { endpoint: `127.0.0.1:${health}` } },
    service: {
      extensions: ['memory_limiter', 'health_check'],
      telemetry: { metrics: { level: 'none' }, logs: { level: 'error' } },
      pipelines: { traces: { receivers: ['otlp'], processors: ['memory_limiter'], exporters: [exporter] } },
    },
  }
  const file = join(dir, 'config.yaml')
  writeFileSync(file, JSON.stringify(config))
  const main = join(import.meta.dirname, '../../distributions/millrace/main.ts')
  const child = run(main, '--config', file)
  await answers(`http://127.0.0.1:${health}/`)
  return { child, port }
}

/** Linux only. */
async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}
