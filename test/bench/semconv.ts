/**
 * `node test/bench/semconv.ts`: what learning costs. CPU of the whole process a span with the dictionary and without it;
 * latency of forwarding at 30 % load; throughput with all workers stuck; and what a large dictionary costs to use. Every
 * figure stands beside that of pure forwarding in the same run, interleaved. An argument names the parts to run:
 * `cpu`, `latency`, `stalled`, `dictionary`, `hostile`.
 */
import { Child } from './child.ts'
import type { Job, Outcome } from './load.ts'
import { benchDictionary, benchHostileNames } from './semconv-dictionary.ts'
import { type Forwarder, type Learning, metric, startForwarder } from './semconv-subject.ts'

const here = (file: string) => new URL(file, import.meta.url).pathname
const RUNS = 5

const sink = new Child(process.execPath, [here('sink.ts')])
const load = new Child(process.execPath, [here('load.ts')])
const ports = await sink.read<{ grpc: number; http: number }>()

const job = (over: Partial<Job>): Omit<Job, 'port'> => ({
  protocol: 'grpc',
  compression: 'none',
  signal: 'traces',
  items: 100,
  requests: 10_000,
  concurrency: 16,
  ...over,
})

async function send(to: Forwarder, work: Omit<Job, 'port'>): Promise<Outcome> {
  load.write({ ...work, port: to[work.protocol] })
  const outcome = await load.read<Outcome>()
  if (outcome.failed > 0) throw new Error(`${outcome.failed} of ${work.requests} requests failed`)
  return outcome
}

async function withForwarder<T>(learning: Learning, use: (forwarder: Forwarder) => Promise<T>): Promise<T> {
  const forwarder = await startForwarder(learning, ports)
  try {
    await send(forwarder, job({ requests: 1500 }))
    return await use(forwarder)
  } finally {
    await forwarder.child.stop()
  }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

/** Waits until nothing waits to be analysed any more. */
async function analyzed(forwarder: Forwarder): Promise<void> {
  for (;;) {
    const [waiting, running] = [
      await metric(forwarder, 'pipeline_ring_buffer_size'),
      await metric(forwarder, 'pipeline_running_tasks'),
    ]
    if (waiting + running === 0) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

async function cpu(): Promise<void> {
  for (const over of [{}, { protocol: 'http' }, { signal: 'metrics' }, { signal: 'logs' }] as Partial<Job>[]) {
    const costs: { [L in 'off' | 'on']: number[] } = { off: [], on: [] }
    // Slow enough for everything to be analysed: what is not analysed costs nothing and would flatter.
    const work = job({ ...over, requests: 4000, rate: 400 })
    for (let run = 0; run < 3; run++) {
      for (const learning of ['off', 'on'] as const) {
        await withForwarder(learning, async forwarder => {
          const before = forwarder.child.cpuSeconds()
          await send(forwarder, work)
          if (learning === 'on') await analyzed(forwarder)
          costs[learning].push(((forwarder.child.cpuSeconds() - before) * 1e6) / (work.requests * work.items))
          if (learning === 'on' && run === 0) {
            const [done, dropped] = [
              await metric(forwarder, 'pipeline_analyzed_total'),
              await metric(forwarder, 'pipeline_drops_total'),
            ]
            console.log(`  analysed ${done}, not analysed ${dropped}`)
          }
        })
      }
    }
    const [off, on] = [median(costs.off), median(costs.on)]
    const what = `${over.protocol ?? 'grpc'}, 100 ${over.signal ?? 'traces'}`
    console.log(
      `CPU ${what}: ${off.toFixed(2)} µs forwarding, ${on.toFixed(2)} µs learning: ${(on / off).toFixed(2)} times`,
    )
  }
}

async function latency(): Promise<void> {
  const { seconds } = await withForwarder('on', forwarder => send(forwarder, job({ requests: 5000 })))
  const rate = (5000 / seconds) * 0.3
  const found: { [L in 'off' | 'on']: Outcome[] } = { off: [], on: [] }
  for (let run = 0; run < RUNS; run++) {
    for (const learning of ['off', 'on'] as const) {
      const work = job({ requests: Math.ceil(rate * 5), rate, concurrency: 64 })
      found[learning].push(await withForwarder(learning, forwarder => send(forwarder, work)))
    }
  }
  const ratio = (of: (outcome: Outcome) => number) => median(found.on.map((on, run) => of(on) / of(found.off[run]!)))
  const ms = (learning: 'off' | 'on', of: (outcome: Outcome) => number) => median(found[learning].map(of)).toFixed(2)
  console.log(
    `latency at ${rate.toFixed(0)} requests/s: p50 ${ms('off', each => each.p50)} to ${ms('on', each => each.p50)} ms ` +
      `(${ratio(each => each.p50).toFixed(2)} times), p99 ${ms('off', each => each.p99)} to ${ms('on', each => each.p99)} ms ` +
      `(${ratio(each => each.p99).toFixed(2)} times); medians of ${RUNS} interleaved runs`,
  )
}

async function stalled(): Promise<void> {
  const ratios: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const off = await withForwarder('off', forwarder => send(forwarder, job({})))
    ratios.push(
      await withForwarder('stalled', async forwarder => {
        const on = await send(forwarder, job({}))
        const received = await metric(forwarder, 'signals_received_total')
        const dropped = await metric(forwarder, 'pipeline_drops_total')
        const waiting = await metric(forwarder, 'pipeline_ring_buffer_size')
        const tasks = await metric(forwarder, 'pipeline_running_tasks')
        if (run === 0)
          console.log(`  received ${received}, dropped ${dropped}, waiting ${waiting} requests and ${tasks} tasks`)
        return off.seconds / on.seconds
      }),
    )
  }
  console.log(`throughput with all workers stuck: ${median(ratios).toFixed(2)} of pure forwarding (median of ${RUNS})`)
}

const parts = { cpu, latency, stalled, dictionary: benchDictionary, hostile: benchHostileNames }
const wanted = process.argv.slice(2)
for (const [name, run] of Object.entries(parts)) if (wanted.length === 0 || wanted.includes(name)) await run()
await Promise.all([sink.stop(), load.stop()])
