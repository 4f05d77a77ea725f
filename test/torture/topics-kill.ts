/**
 * `npm run torture:topics-kill -- [kills=20] [topics=500]`: the topic pipeline as a process, killed with SIGKILL at random
 * moments while it takes in topics from local sources. In the end every topic that the sources have is there exactly
 * once, no job is stuck, and the counters say what is in the tables. Runs on PostgreSQL when MILLRACE_TEST_POSTGRES names
 * a server, else on the embedded store.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startSources } from '../../extensions/topic_pipeline/scanners/sources.test-support.ts'
import { Child } from '../bench/child.ts'
import { answers, freePorts } from '../bench/ports.ts'
import { generator } from '../bench/workload.ts'

const KILLS = Number(process.argv[2] ?? 20)
const TOPICS = Number(process.argv[3] ?? 500)
/** Sources whose topics of one keyword are as many as it wants. */
const SOURCES = ['stackoverflow', 'devto', 'hashnode', 'reddit']
const KEYWORDS = ['opentelemetry', 'kubernetes', 'postgres', 'typescript', 'observability']
const EACH = Math.ceil(TOPICS / SOURCES.length / KEYWORDS.length)

const random = generator(Date.now())
const directory = mkdtempSync(join(tmpdir(), 'millrace-topics-'))
const server = process.env.MILLRACE_TEST_POSTGRES
const database = server === undefined ? '' : await createDatabase(server)
await using sources = await startSources({ topics: EACH, latency: 20 })
const { stackoverflow, devto, hashnode, reddit } = sources.config as Record<string, object>
const written = {
  receivers: { nop: {} },
  exporters: { nop: {} },
  extensions: {
    api: { endpoint: '127.0.0.1:0' },
    topic_pipeline: {
      ...{ data_dir: directory, database },
      sources: { stackoverflow, devto, hashnode, reddit, lookback: '8760h' },
      scan: { max_results: EACH },
      fetch: { allow_private: ['127.0.0.0/8'] },
      // A killed process on PostgreSQL is known to be gone when its leases end.
      jobs: { lease: '2s', max_stalls: 100, poll_interval: '200ms' },
    },
  },
  service: {
    extensions: ['api', 'topic_pipeline'],
    pipelines: { traces: { receivers: ['own_telemetry'], exporters: ['nop'] } },
  },
}
const file = join(directory, 'config.yaml')
writeFileSync(file, JSON.stringify({ ...written, receivers: { own_telemetry: {} } }))

let midway = 0
for (let kill = 1; kill <= KILLS; kill++) {
  const { child, url } = await start()
  if (kill === 1) await addCategories(url)
  await new Promise(resolve => setTimeout(resolve, 50 + random() * 1200))
  const before = await read(url, '/api/pipeline/status')
  await child.stop('SIGKILL')
  if (before.summary.pending + before.summary.processing > 0 || kill === 1) midway++
}
const { child, url } = await start()
await settled(url)
const findings = await examine(url)
await child.stop()
rmSync(directory, { recursive: true })
const { topics, ...faults } = findings
console.log(
  `${topics} topics after ${KILLS} kills, ${midway} of them with jobs under way; wrong: ${JSON.stringify(faults)}`,
)
const good = topics === EACH * SOURCES.length * KEYWORDS.length && Object.values(faults).every(count => count === 0)
process.exitCode = good ? 0 : 1

async function start(): Promise<{ child: Child; url: string }> {
  const [port, metrics] = (await freePorts(2)) as [number, number]
  const child = new Child(process.execPath, [
    ...['distributions/topic-pipeline/main.ts', '--config', file],
    ...['--set', `extensions::api::endpoint=127.0.0.1:${port}`],
    ...['--set', 'service::telemetry::logs::level=error'],
    ...[
      '--set',
      `service::telemetry::metrics::readers=[{pull: {exporter: {prometheus: {host: 127.0.0.1, port: ${metrics}}}}}]`,
    ],
  ])
  const url = `http://127.0.0.1:${port}`
  await answers(`${url}/readyz`)
  return { child, url }
}

async function addCategories(url: string): Promise<void> {
  for (const keyword of KEYWORDS) {
    const body = JSON.stringify({
      name: keyword,
      keywords: keyword,
      description: keyword,
      sources: SOURCES.join(','),
      scanFrequency: 1440,
    })
    await fetch(`${url}/api/categories`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  }
}

/** Resolves when every category was scanned at every source and no job waits or runs. */
async function settled(url: string): Promise<void> {
  const deadline = performance.now() + 240_000
  for (;;) {
    const [history, { summary }] = await Promise.all([
      read(url, '/api/pipeline/scan-history?limit=100'),
      read(url, '/api/pipeline/status'),
    ])
    const scanned = new Set(
      history
        .filter((run: { status: string }) => run.status === 'COMPLETED')
        .map((run: { source: string; category_id: number }) => `${run.source} ${run.category_id}`),
    )
    if (scanned.size === SOURCES.length * KEYWORDS.length && summary.pending + summary.processing === 0) return
    if (performance.now() > deadline)
      throw new Error(`It did not come to rest: ${scanned.size} scans, ${JSON.stringify(summary)}`)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

/** Looks through the API: every count is zero when all is well. */
async function examine(url: string) {
  const stages: { pipeline_stage: string; count: number }[] = await read(url, '/api/pipeline/topics-by-stage')
  const count = (stage: string) => stages.find(each => each.pipeline_stage === stage)!.count
  const { jobCounts } = await read(url, '/api/pipeline/status')
  const jobs = (stage: string, status: string) =>
    jobCounts.find((each: { stage: string; status: string }) => each.stage === stage && each.status === status)
      ?.count ?? 0
  const topics = stages.reduce((sum, each) => sum + each.count, 0)
  const addresses: string[] = []
  for (let page = 0; ; page++) {
    const feed = await read(url, `/api/topics?size=100&page=${page}`)
    addresses.push(...feed.topics.map((topic: { url: string }) => topic.url))
    if (feed.topics.length < 100) break
  }
  const statistics = await read(url, '/api/stats')
  return {
    topics,
    doubled: addresses.length - new Set(addresses).size,
    feedAgainstStages: addresses.length - count('analyzed'),
    statisticsAgainstStages: statistics.totalTopics - count('analyzed'),
    unfinished: count('scanned') + count('extracted'),
    extractJobs: jobs('EXTRACT', 'COMPLETED') - topics,
    analyzeJobs: jobs('ANALYZE', 'COMPLETED') - topics,
    failedJobs: statistics.failedJobs,
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of the API, looked at by path
async function read(url: string, path: string): Promise<any> {
  return (await fetch(url + path)).json()
}

async function createDatabase(server: string): Promise<string> {
  const name = `kill_${randomBytes(6).toString('hex')}`
  const client = new Client(server)
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
