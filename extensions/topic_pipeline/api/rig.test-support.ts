import { type Clock, systemClock } from '#core/component'
import { configure, RecordingLogger, TestHost, testContext } from '#core/testing'
import { apiConfig } from '../../api/config.ts'
import { ApiExtension } from '../../api/extension.ts'
import { compareDrafts } from '../generation/compare-drafts.ts'
import { exportMarkdown } from '../generation/export-markdown.ts'
import type { Topic } from '../model/topic.ts'
import type { NewDraft, StyleProfile } from '../model/writing.ts'
import type { Scanner } from '../scanners/scanner.ts'
import type { TopicStore } from '../store/store.ts'
import { GenerationDesk } from '../work/generation-desk.ts'
import { routesOf } from './routes.ts'
import type { TopicService } from './service.ts'

export const PROFILE: StyleProfile = {
  tone: 'dry',
  avg_sentence_length: '12 words (short)',
  vocabulary_complexity: 'simple',
  structural_patterns: ['headings'],
  use_of_examples: true,
  use_of_analogies: false,
  first_person: true,
  typical_intro_style: 'opens with a question',
  typical_conclusion_style: 'ends with a question',
}

const TYPES = ['stackoverflow', 'reddit', 'medium', 'devto', 'hashnode', 'youtube']
const NAMES = ['Stack Overflow', 'Reddit', 'Medium', 'Dev.to', 'Hashnode', 'YouTube']

function scanner(type: string, displayName: string): Scanner {
  const scan = async () => ({ topics: [], requests: 0, notModified: 0, problems: [] })
  return { type, displayName, minimumInterval: 15, unavailable: () => undefined, scan }
}

export interface RigOptions extends Partial<Omit<TopicService, 'store'>> {
  /** Why no draft can be written. */
  readonly unavailable?: string
  /** What writes; by default a text that names the feedback. */
  readonly write?: (order: { readonly feedback?: string }) => Promise<string>
}

/** The routes over a store on a real port. Drafts are written by a stand-in at once. `await using` closes the port. */
export async function openApi(store: TopicStore, options: RigOptions = {}) {
  const { unavailable, write, ...service } = options
  let time = Date.UTC(2026, 10, 20, 12)
  const clock: Clock = { ...systemClock, now: () => time }
  const desk: GenerationDesk = new GenerationDesk({
    store,
    clock,
    regenerations: 5,
    unavailable: async () => unavailable,
    async write(order) {
      const text = await (
        write ?? (async ({ feedback }) => `A draft${feedback === undefined ? '' : `, ${feedback}`} [S1]`)
      )(order)
      return { ...DRAFT, ...order, parentId: order.parentId ?? null, text }
    },
  })
  store.onJobs(() => void work(store, desk, clock))
  const whole: TopicService = {
    store,
    clock,
    logger: new RecordingLogger(),
    scanners: TYPES.map((type, i) => scanner(type, NAMES[i]!)),
    limits: { uploadBytes: 1000, regenerations: 5 },
    related: async topic =>
      topic.groupId === null ? [] : (await store.topics.ofGroup(topic.groupId, 11)).filter(other(topic)),
    scanAll: async () => ({ triggered: true, message: 'Scan started' }),
    wake: () => {},
    upload: ({ title, content, contentType, sourceUrl }) =>
      store.uploads.create({ title: title ?? 'Untitled', content, contentType, sourceUrl, wordCount: 1 }, clock.now()),
    importPage: url =>
      store.uploads.create(
        { title: 'Page', content: 'x', contentType: 'blog_post', sourceUrl: url, wordCount: 1 },
        clock.now(),
      ),
    async analyzeStyle(upload) {
      await store.uploads.setProfile(upload.id, PROFILE, clock.now())
      return PROFILE
    },
    compositeStyle: async () => (await store.uploads.analyzed(1))[0]?.profile ?? undefined,
    generate: order => desk.order(order),
    exportDraft: exportMarkdown,
    compare: (before, after) => compareDrafts(before.text, after.text),
    ...service,
  }
  const host = new TestHost()
  const context = testContext({ id: 'api', kind: 'extension' })
  const api = new ApiExtension(configure(apiConfig, { endpoint: '127.0.0.1:0' }), context)
  await api.start(host)
  host.add({ routes: routesOf(whole) })
  const ask = async (method: string, path: string, body?: unknown) => {
    const init =
      body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await fetch(`http://${api.address}${path}`, { method, ...init })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    return {
      status: response.status,
      headers: response.headers,
      text,
      // biome-ignore lint/suspicious/noExplicitAny: answers are compared with what they should be
      body: (isJson ? JSON.parse(text) : undefined) as any,
    }
  }
  const setTime = (now: number) => {
    time = now
  }
  return {
    clock,
    setTime,
    desk,
    ask,
    get: (path: string) => ask('GET', path),
    [Symbol.asyncDispose]: () => api.shutdown(),
  }
}

const other = (topic: Topic) => (each: Topic) => each.id !== topic.id

/** Does the GENERATE jobs that wait, as the runner would. */
async function work(store: TopicStore, desk: GenerationDesk, clock: Clock): Promise<void> {
  const now = clock.now()
  const jobs = await store.jobs.claim({ stages: ['GENERATE'], owner: 'test', now, leaseUntil: now + 60_000, limit: 10 })
  for (const job of jobs) {
    try {
      const effects = await desk.handle(job, new AbortController().signal)
      await store.jobs.finish(job, clock.now(), effects)
      desk.ended(job.id, { outcome: 'completed' })
    } catch (error) {
      const message = (error as Error).message
      const rules = { maxAttempts: 3, maxStalls: 3, baseDelay: 1, maxDelay: 1, random: () => 0 }
      await store.jobs.fail(job, { kind: 'permanent', message }, clock.now(), rules)
      desk.ended(job.id, { outcome: 'failed', error })
    }
  }
}

const DRAFT: Omit<NewDraft, 'topicId' | 'groupId' | 'format' | 'parentId' | 'text'> = {
  model: 'stand-in',
  sources: [
    {
      marker: 'S1',
      topicId: 1,
      title: 'Source',
      url: 'https://example.org/1',
      author: 'Ann',
      licence: null,
      excerptHash: 'ab',
    },
  ],
  references: [{ uploadId: 1, title: 'Mine', similarity: 0.5 }],
  usage: { inputTokens: 10, outputTokens: 20, estimated: false },
  cost: 0.001,
  checks: [{ name: 'citations', ok: true, detail: 'Cited: S1' }],
  styleMatch: null,
  promptUsed: 'Write',
}
