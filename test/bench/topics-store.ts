/**
 * What the topic store takes for a feed page, statistics and a search for references with 100,000 topics and 10,000
 * uploads, and how long the event loop waits meanwhile: `node test/bench/topics-store.ts [topics]`, on SQLite, and under
 * `test/postgres/with-postgres` on PostgreSQL too.
 * @module
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PerformanceObserver } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openStore } from '../../extensions/topic_pipeline/store/open-store.ts'
import type { FeedQuery, TopicStore } from '../../extensions/topic_pipeline/store/store.ts'

const TOPICS = Number(process.argv[2] ?? 100_000)
const UPLOADS = TOPICS / 10
const DIMENSIONS = 1536
const RUNS = 40
const SOURCES = ['stackoverflow', 'reddit', 'medium', 'devto', 'hashnode', 'youtube']
const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 16, 12)
const TEXT = 'Tail sampling decides once a trace is complete. '.repeat(60)

let seed = 1
/** Longest turn of the event loop of each report, in microseconds of processor time. */
const turns: number[] = []
const logger = {
  debug() {},
  info() {},
  warn: console.warn,
  error: console.error,
  enabled: () => false,
  with: () => logger,
}

const dataDir = await mkdtemp(join(tmpdir(), 'topics-store-'))
try {
  await measure(await openStore({ dataDir, logger }))
  const database = process.env.MILLRACE_TEST_POSTGRES
  if (database !== undefined) await measure(await openStore({ database, dataDir, logger }))
} finally {
  await rm(dataDir, { recursive: true })
}

async function measure(store: TopicStore): Promise<void> {
  console.log(`\n${store.name.startsWith('postgres') ? 'PostgreSQL' : 'SQLite'}`)
  const started = performance.now()
  const categories = await seedTopics(store)
  if (store.vectors.available) await seedUploads(store)
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  console.log(`${TOPICS} topics, ${store.vectors.available ? UPLOADS : 0} uploads written in ${seconds} s`)

  collectGarbage()
  const collector = watchCollector()
  const pages: [string, Partial<FeedQuery>][] = [
    ['first page', {}],
    ['page 200', { page: 200 }],
    ['last page', { page: TOPICS / 20 - 1 }],
    ['of a category', { categoryId: categories[3]! }],
    ['of a source', { sourceType: 'devto' }],
    ['of a month', { from: NOW - 30 * DAY, before: NOW }],
    ['of quality 0.7', { minQuality: 0.7 }],
    ['all filters', { categoryId: categories[1]!, sourceType: 'reddit', from: NOW - 99 * DAY, minQuality: 0.5 }],
    ['of 100 topics', { size: 100 }],
  ]
  for (const [name, query] of pages) {
    await report(`feed, ${name}`, 30, () => store.topics.feed({ page: 0, size: 20, ...query }))
  }
  await report('feed, with a text', undefined, () => store.topics.feed({ page: 0, size: 20, text: 'sampling 99' }))
  await report('stats', 50, async () => {
    await store.topics.statistics(NOW - 7 * DAY)
    await store.jobs.counts()
  })
  await report('categories', undefined, () => store.categories.list())
  await report('a job claimed and finished', undefined, () => oneJob(store))
  if (store.vectors.available) {
    const first = performance.now()
    await search(store)
    console.log(line('reference search, first after a start', [performance.now() - first]))
    await report('reference search', 50, () => search(store))
    await report('all of this at once', undefined, () =>
      Promise.all([
        search(store),
        oneJob(store),
        ...pages.map(([, query]) => store.topics.feed({ page: 0, size: 100, ...query })),
      ]),
    )
  }
  const pause = await collector.longest()
  console.log(`event loop: longest turn ${(Math.max(...turns) / 1000).toFixed(1)} ms of processor (limit 5)`)
  console.log(`            longest pause for the garbage collector, part of a turn: ${pause.toFixed(1)} ms`)
  turns.length = 0
  await store.close()
}

/** Each topic analysed, with its EXTRACT job done. */
async function seedTopics(store: TopicStore): Promise<number[]> {
  const categories: number[] = []
  for (let i = 0; i < 10; i++) {
    const names = { name: `Category ${i}`, description: '', keywords: ['otel'], negativeKeywords: [], sources: [] }
    categories.push(await store.categories.create({ ...names, scanFrequency: 60, scanCron: null, enabled: true }, NOW))
  }
  const size = 1000
  for (let from = 0; from < TOPICS; from += size) {
    const at = NOW - Math.floor(((TOPICS - from) / TOPICS) * 365 * DAY)
    await store.transaction(async tables => {
      const found = Array.from({ length: size }, (_, i) => ({
        sourceType: SOURCES[(from + i) % SOURCES.length]!,
        externalId: `e${from + i}`,
        title: `On tail sampling ${from + i}`,
        url: `https://example.com/${from + i}`,
        content: TEXT,
      }))
      await tables.topics.add(found, categories[(from / size) % categories.length]!, at)
      const claim = { stages: ['EXTRACT'], owner: 'seed', now: NOW, leaseUntil: NOW + DAY, limit: size } as const
      for (const job of await tables.jobs.claim(claim)) {
        const id = job.topicId!
        await tables.jobs.finish(job, at, async effects => {
          await effects.topics.extracted(id, { text: TEXT, status: 'COMPLETED' })
          await effects.topics.analyzed(id, {
            qualityScore: (id % 100) / 100,
            relevanceScore: (id % 90) / 90,
            summary: `Sampling at the tail ${id}`,
            tags: ['otel', 'sampling'],
            language: 'en',
            groupId: null,
            reasons: { method: 'heuristic', notes: [] },
            bands: [],
          })
        })
      }
    })
  }
  const more = Array.from({ length: 5000 }, (_, i) => i)
  await store.transaction(async tables => {
    for (const i of more) await tables.jobs.enqueue('ANALYZE', TOPICS * 2 + i, NOW)
  })
  return categories
}

async function seedUploads(store: TopicStore): Promise<void> {
  for (let from = 0; from < UPLOADS; from += 500) {
    await store.transaction(async tables => {
      for (let i = 0; i < 500; i++) {
        const id = await tables.uploads.create(
          { title: 'Mine', content: TEXT, contentType: 'blog_post', sourceUrl: null, wordCount: 400 },
          NOW,
        )
        await tables.vectors.set('upload', id, 'bench', randomUnit(), NOW)
      }
    })
  }
}

async function search(store: TopicStore): Promise<void> {
  await store.vectors.nearest('upload', 'bench', randomUnit(), 3)
}

async function oneJob(store: TopicStore): Promise<void> {
  const claim = { stages: ['ANALYZE'], owner: 'bench', now: NOW, leaseUntil: NOW + DAY, limit: 1 } as const
  for (const job of await store.jobs.claim(claim)) {
    await store.jobs.finish(job, NOW, tables => tables.memory.set('bench', String(job.id), TEXT, NOW))
  }
}

/** That of the seeding is not to be paid for by what is measured. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

/** How long the garbage collector keeps the event loop at most, by the clock. */
function watchCollector(): { longest(): Promise<number> } {
  let longest = 0
  const observer = new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
  })
  observer.observe({ entryTypes: ['gc'] })
  return {
    async longest() {
      await setTimeout(10)
      observer.disconnect()
      return longest
    },
  }
}

/** Processor time between two turns of the event loop: other than the time on the clock, it is free of others' work. */
function watchLoop(): { end(): number } {
  let longest = 0
  let last = process.threadCpuUsage()
  const timer = setInterval(() => {
    const used = process.threadCpuUsage(last)
    longest = Math.max(longest, used.user + used.system)
    last = process.threadCpuUsage()
  }, 1)
  return {
    end() {
      clearInterval(timer)
      return longest
    },
  }
}

async function report(name: string, limit: number | undefined, run: () => Promise<unknown>): Promise<void> {
  await run()
  const times: number[] = []
  const loop = watchLoop()
  const before = process.cpuUsage()
  for (let i = 0; i < RUNS; i++) {
    const started = performance.now()
    await run()
    times.push(performance.now() - started)
  }
  const { user, system } = process.cpuUsage(before)
  turns.push(loop.end())
  const cpu = ((user + system) / 1000 / RUNS).toFixed(1)
  console.log(`${line(name, times, limit)}; processor ${cpu} ms; longest turn ${(turns.at(-1)! / 1000).toFixed(1)} ms`)
}

function line(name: string, times: readonly number[], limit?: number): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(1)
  const figures = times.length === 1 ? `${at(0)} ms` : `median ${at(0.5)} ms, p95 ${at(0.95)} ms`
  return `${name.padEnd(40)} ${figures}${limit === undefined ? '' : ` (limit ${limit})`}`
}

function randomUnit(): Float32Array {
  const vector = new Float32Array(DIMENSIONS)
  for (let i = 0; i < DIMENSIONS; i++) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    vector[i] = seed / 2 ** 31 - 1
  }
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return vector.map(value => value / length)
}
