import type { NewCategory } from '../../model/category.ts'
import type { ClaimedJob } from '../../model/job.ts'
import type { JobStage } from '../../model/stages.ts'
import type { FoundTopic } from '../../model/topic.ts'
import type { NewDraft, NewUpload, StyleProfile } from '../../model/writing.ts'
import type { AnalysisResult, RetryRules, TopicStore } from '../store.ts'

export const MINUTE = 60_000
export const DAY = 86_400_000
/** A Monday. */
export const NOW = Date.UTC(2026, 10, 16, 12)

export const CATEGORY: NewCategory = {
  name: 'Observability',
  description: 'Traces, metrics and logs',
  keywords: ['opentelemetry', 'tail sampling'],
  negativeKeywords: ['casino'],
  sources: ['devto', 'stackoverflow'],
  scanFrequency: 60,
  scanCron: null,
  enabled: true,
}

export const RULES: RetryRules = { maxAttempts: 3, maxStalls: 2, baseDelay: 1000, maxDelay: 60_000, random: () => 1 }

export function found(n: number, more: Partial<FoundTopic> = {}): FoundTopic {
  return { sourceType: 'devto', externalId: `e${n}`, title: `Topic ${n}`, url: `https://dev.to/${n}`, ...more }
}

export function manyFound(count: number, more: Partial<FoundTopic> = {}): FoundTopic[] {
  return Array.from({ length: count }, (_, i) => found(i + 1, more))
}

export function analysis(more: Partial<AnalysisResult> = {}): AnalysisResult {
  return {
    qualityScore: 0.8,
    relevanceScore: 0.7,
    summary: 'About sampling',
    tags: ['otel', 'sampling'],
    language: 'en',
    groupId: null,
    reasons: { method: 'heuristic', quality: { structure: 0.5 }, notes: ['Three headings'] },
    bands: [],
    ...more,
  }
}

export const PROFILE: StyleProfile = {
  tone: 'dry',
  avg_sentence_length: '14 words',
  vocabulary_complexity: 'plain',
  structural_patterns: ['lists'],
  use_of_examples: true,
  use_of_analogies: false,
  first_person: true,
  typical_intro_style: 'a question',
  typical_conclusion_style: 'a summary',
}

export function upload(more: Partial<NewUpload> = {}): NewUpload {
  return { title: 'Mine', content: 'I write.', contentType: 'blog_post', sourceUrl: null, wordCount: 2, ...more }
}

export function draft(more: Partial<NewDraft> = {}): NewDraft {
  return {
    topicId: 1,
    groupId: null,
    format: 'blog_post',
    text: '# Text',
    model: 'local',
    parentId: null,
    sources: [
      { marker: 'S1', topicId: 1, title: 'T', url: 'https://x', author: null, licence: null, excerptHash: 'h' },
    ],
    references: [{ uploadId: 1, title: 'Mine', similarity: 0.5 }],
    usage: { inputTokens: 10, outputTokens: 20, estimated: true },
    cost: 0.25,
    checks: [{ name: 'headings', ok: true, detail: '3' }],
    styleMatch: { status: 'measured', score: 0.4, notes: ['short sentences'] },
    promptUsed: 'p',
    ...more,
  }
}

/** A unit vector that is the more like `[1, 0, …]` the smaller `angle` is. */
export function vector(angle: number, dimensions = 8): Float32Array {
  const result = new Float32Array(dimensions)
  result[0] = Math.cos(angle)
  result[1] = Math.sin(angle)
  return result
}

/** Takes the next due job of a stage. */
export async function claimOne(store: TopicStore, stage: JobStage = 'EXTRACT', now = NOW): Promise<ClaimedJob> {
  const [job] = await store.jobs.claim({ stages: [stage], owner: 'a', now, leaseUntil: now + MINUTE, limit: 1 })
  if (job === undefined) throw new Error(`No ${stage} job is due`)
  return job
}

/** Adds topics and brings them to stage `analyzed` without their jobs. @returns their ids */
export async function addAnalyzed(
  store: TopicStore,
  topics: readonly FoundTopic[],
  {
    categoryId = null,
    now = NOW,
    ...result
  }: Partial<AnalysisResult> & { categoryId?: number | null; now?: number } = {},
): Promise<number[]> {
  const before = new Set(await scanned(store))
  await store.topics.add(topics, categoryId, now)
  const ids = (await scanned(store)).filter(id => !before.has(id))
  for (const id of ids) {
    await store.topics.extracted(id, { text: `Text of ${id}`, status: 'COMPLETED' })
    await store.topics.analyzed(id, analysis(result))
  }
  return ids
}

async function scanned(store: TopicStore): Promise<number[]> {
  const { topics } = await store.topics.feed({ page: 0, size: 10_000, stage: 'scanned' })
  return topics.map(topic => topic.id).sort((a, b) => a - b)
}

/** That the counters say what counting says: of topics by stage, category and source. */
export async function recount(store: TopicStore): Promise<{ counted: unknown; really: unknown }> {
  const counted: Record<string, number> = {}
  const really: Record<string, number> = {}
  const categories = await store.categories.list()
  for (const { stage } of await store.topics.byStage()) {
    for (const categoryId of [undefined, ...categories.map(category => category.id)]) {
      for (const sourceType of [undefined, 'devto', 'stackoverflow']) {
        const query = {
          stage,
          page: 0,
          size: 1,
          ...(categoryId !== undefined && { categoryId }),
          ...(sourceType !== undefined && { sourceType }),
        }
        const key = JSON.stringify([stage, categoryId, sourceType])
        counted[key] = (await store.topics.feed(query)).total
        // A filter on time makes the store count rows.
        really[key] = (await store.topics.feed({ ...query, from: 0 })).total
      }
    }
  }
  return { counted, really }
}
