/**
 * `npm run bench`: what a span, data point or log record costs, in CPU of the collector's process. Every figure stands
 * beside a yardstick of the same run, because machines differ and are shared: protobufjs decoding and encoding the same
 * spans and, where `OTELCOL` names a Go Collector, the same work through it. `npm run bench -- quick` runs the first
 * rows only.
 */
import { Child } from './child.ts'
import type { Job, Outcome } from './load.ts'
import { startupMillis } from './startup.ts'
import { type Pipeline, type Subject, startSubject } from './subject.ts'
import { protobufjsMicros } from './yardstick.ts'

const here = (file: string) => new URL(file, import.meta.url).pathname

interface Row {
  readonly name: string
  readonly pipeline: Pipeline
  readonly job: Omit<Job, 'port'>
}

const BATCH = { batch: null }
const job = (over: Partial<Job>): Omit<Job, 'port'> => ({
  protocol: 'grpc',
  compression: 'none',
  signal: 'traces',
  items: 100,
  requests: 20_000,
  concurrency: 16,
  ...over,
})
const forward = (compression: Pipeline['compression'] = 'none'): Pipeline => ({ processors: BATCH, compression })
const edit = (action: object): Pipeline => ({
  processors: { attributes: { actions: [action] }, ...BATCH },
  compression: 'none',
})

const ROWS: readonly Row[] = [
  { name: 'gRPC, 100 spans', pipeline: forward(), job: job({}) },
  { name: 'HTTP, 100 spans', pipeline: forward(), job: job({ protocol: 'http' }) },
  { name: 'gRPC, 1000 spans', pipeline: forward(), job: job({ items: 1000, requests: 3000 }) },
  { name: 'HTTP, 1000 spans', pipeline: forward(), job: job({ items: 1000, requests: 3000, protocol: 'http' }) },
  { name: 'gRPC gzip, 100 spans', pipeline: forward('gzip'), job: job({ compression: 'gzip', requests: 10_000 }) },
  {
    name: 'HTTP gzip, 100 spans',
    pipeline: forward('gzip'),
    job: job({ compression: 'gzip', requests: 10_000, protocol: 'http' }),
  },
  {
    name: 'gRPC gzip, 1000 spans',
    pipeline: forward('gzip'),
    job: job({ compression: 'gzip', items: 1000, requests: 1500 }),
  },
  { name: 'gRPC zstd, 100 spans', pipeline: forward('zstd'), job: job({ compression: 'zstd', requests: 10_000 }) },
  { name: 'gRPC, 100 log records', pipeline: forward(), job: job({ signal: 'logs' }) },
  { name: 'gRPC, 100 data points', pipeline: forward(), job: job({ signal: 'metrics' }) },
  {
    name: 'gRPC, 100 spans, one attribute inserted',
    pipeline: edit({ key: 'tenant', value: 'a', action: 'insert' }),
    job: job({}),
  },
  {
    name: 'gRPC, 100 spans, one attribute deleted',
    pipeline: edit({ key: 'client.address', action: 'delete' }),
    job: job({}),
  },
]

interface Measured {
  /** CPU microseconds an item. */
  readonly micros: number
  readonly peakMiB: number
  readonly perSecond: number
}

async function measure(
  row: Row,
  load: Child,
  sink: Child,
  ports: { grpc: number; http: number },
  otelcol?: string,
): Promise<Measured> {
  const subject = await startSubject(row.pipeline, ports, row.job.protocol, otelcol)
  try {
    await send(load, subject, { ...row.job, requests: Math.ceil(row.job.requests / 10) })
    await drained(sink)
    const before = subject.child.cpuSeconds()
    const outcome = await send(load, subject, row.job)
    await drained(sink)
    const seconds = subject.child.cpuSeconds() - before
    if (outcome.failed > 0) throw new Error(`${row.name}: ${outcome.failed} of ${row.job.requests} requests failed`)
    const items = row.job.requests * row.job.items
    return { micros: (seconds * 1e6) / items, peakMiB: subject.child.peakMiB(), perSecond: items / outcome.seconds }
  } finally {
    await subject.child.stop()
  }
}

async function send(load: Child, subject: Subject, work: Omit<Job, 'port'>): Promise<Outcome> {
  load.write({ ...work, port: subject[work.protocol] })
  return load.read<Outcome>()
}

/** Waits until the sink has seen nothing new for half a second. */
async function drained(sink: Child): Promise<void> {
  let last = -1
  for (;;) {
    sink.write({})
    const { bytes } = await sink.read<{ bytes: number }>()
    if (bytes === last) return
    last = bytes
    await new Promise(resolve => setTimeout(resolve, 500))
  }
}

function print(cells: readonly (string | number)[], widths = [42, 12, 12, 10, 12, 10, 8]): void {
  console.log(
    cells.map((cell, i) => (i === 0 ? String(cell).padEnd(widths[0]!) : String(cell).padStart(widths[i]!))).join(' '),
  )
}

const otelcol = process.env.OTELCOL
const quick = process.argv.includes('quick')
const yardstick = protobufjsMicros()
console.log(`protobufjs decode + encode: ${yardstick.toFixed(2)} µs a span (the yardstick)`)
if (otelcol === undefined) console.log('OTELCOL is not set: no Go Collector beside it')
const start = await startupMillis()
console.log(`start to /readyz: ${start.warm.toFixed(0)} ms warm (median of ten), ${start.cold.toFixed(0)} ms cold\n`)
print(['path', 'CPU µs/item', '/ protobufjs', 'peak MiB', ...(otelcol ? ['Go µs/item', 'Go MiB', '/ Go'] : [])])
const sink = new Child(process.execPath, [here('sink.ts')])
const load = new Child(process.execPath, [here('load.ts')])
const ports = await sink.read<{ grpc: number; http: number }>()
for (const row of quick ? ROWS.slice(0, 2) : ROWS) {
  const own = await measure(row, load, sink, ports)
  const go = otelcol === undefined ? undefined : await measure(row, load, sink, ports, otelcol)
  print([
    row.name,
    own.micros.toFixed(2),
    (own.micros / yardstick).toFixed(2),
    own.peakMiB.toFixed(0),
    ...(go ? [go.micros.toFixed(2), go.peakMiB.toFixed(0), (own.micros / go.micros).toFixed(2)] : []),
  ])
}
await Promise.all([sink.stop(), load.stop()])
