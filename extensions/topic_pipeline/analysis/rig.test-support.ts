import { RecordingLogger, RecordingMeter } from '#core/testing'
import { languageModelRig } from '../language_model/rig.test-support.ts'
import type { NewCategory } from '../model/category.ts'
import type { FoundTopic, Topic } from '../model/topic.ts'
import { POSTGRES_URL, postgres, SQLITE, type TestDatabase } from '../store/conformance/place.test-support.ts'
import type { Tables } from '../store/store.ts'
import type { AnalysisOptions, AnalyzeOptions } from './analysis-options.ts'
import { type Analyzer, createAnalyzer } from './create-analyzer.ts'

export const OBSERVABILITY: NewCategory = {
  name: 'Observability',
  description: 'Traces, metrics and logs with OpenTelemetry, and what it takes to run a collector in production',
  keywords: ['OpenTelemetry', 'collector', 'tail sampling', 'tracing'],
  negativeKeywords: ['ads', 'giveaway'],
  sources: [],
  scanFrequency: 60,
  scanCron: null,
  enabled: true,
}

/** Embedded, and the server that tests may use, where there is one: `test/postgres/with-postgres`. */
export const DATABASES: readonly TestDatabase[] =
  POSTGRES_URL === undefined ? [SQLITE] : [SQLITE, postgres(POSTGRES_URL)]

export interface AnalysisRigOptions {
  /** Default {@link SQLITE}. */
  readonly on?: TestDatabase
  /** What stands under `language_model`. */
  readonly model?: unknown
  readonly options?: Partial<AnalysisOptions>
  readonly category?: Partial<NewCategory>
}

/** An analyzer over a real store, with one category. */
export async function analysisRig({ on = SQLITE, model: written, options, category: more }: AnalysisRigOptions = {}) {
  const place = await on.create()
  const logger = new RecordingLogger()
  const store = await place.open()
  const models = languageModelRig(written)
  const meter = new RecordingMeter()
  const { model, clock } = models
  const all = { qualityThreshold: 0.5, relevanceThreshold: undefined, languages: ['en'], ...options }
  const analyzer: Analyzer = createAnalyzer({ store, model, clock, logger, meter, options: all })
  const categoryId = await store.categories.create({ ...OBSERVABILITY, ...more }, clock.now())
  let number = 0

  /** Keeps a topic and extracts it; what is absent is made up. */
  async function add(found: Partial<FoundTopic> & { readonly text: string }): Promise<Topic> {
    const { text, ...rest } = found
    number++
    const whole = {
      ...{ sourceType: 'devto', externalId: `e${number}`, title: `Topic ${number}`, author: 'Ann' },
      ...{ url: `https://example.com/${number}`, ...rest },
    }
    const known = (await store.topics.feed({ page: 0, size: 1, stage: 'scanned' })).topics
    if (known.length > 0) throw new Error('A topic was added and not extracted')
    if ((await store.topics.add([whole], categoryId, clock.now())) !== 1) throw new Error('The store knows the topic')
    const { topics } = await store.topics.feed({ page: 0, size: 1, stage: 'scanned' })
    await store.topics.extracted(topics[0]!.id, { text, status: 'COMPLETED' })
    return (await store.topics.get(topics[0]!.id))!
  }

  /** Runs the slow part and commits it. */
  async function analyze(topic: Topic, more?: AnalyzeOptions): Promise<Topic> {
    const effects = await slow(topic, more)
    await store.transaction(effects)
    return (await store.topics.get(topic.id))!
  }

  async function slow(topic: Topic, more?: AnalyzeOptions) {
    const category = topic.categoryId === null ? undefined : await store.categories.get(topic.categoryId)
    return analyzer.analyze(topic, category, new AbortController().signal, more)
  }

  /** Commits what was analysed side by side: on PostgreSQL from two processes' stores in turn. */
  async function commit(effects: readonly ((tables: Tables) => Promise<void>)[]): Promise<void> {
    const other = on === SQLITE ? store : await place.open()
    await Promise.all(effects.map((each, i) => (i % 2 === 0 ? store : other).transaction(each)))
  }

  return {
    ...{ commit, store, models, meter, logger, clock, categoryId, analyzer, add, analyze, slow },
    async [Symbol.asyncDispose]() {
      await models[Symbol.asyncDispose]()
      await place[Symbol.asyncDispose]()
    },
  }
}
