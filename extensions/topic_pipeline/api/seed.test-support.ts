import type { FoundTopic } from '../model/topic.ts'
import type { AnalysisResult, TopicStore } from '../store/store.ts'

export const DAY = 86_400_000

/** A topic of the tests: what is not named is ordinary. */
export interface Seed extends Partial<Pick<AnalysisResult, 'qualityScore' | 'relevanceScore' | 'summary' | 'groupId'>> {
  readonly title: string
  readonly sourceType?: string
  readonly categoryId?: number | null
  readonly collectedAt: number
  readonly stage?: 'scanned' | 'extracted' | 'analyzed' | 'rejected'
  readonly tags?: readonly string[]
}

let sequence = 0

/** Brings a topic to its stage by the ways of the store. @returns its id */
export async function seedTopic(store: TopicStore, seed: Seed): Promise<number> {
  const { sourceType = 'devto', categoryId = null, collectedAt, stage = 'analyzed', title } = seed
  const n = ++sequence
  const found: FoundTopic = {
    sourceType,
    externalId: `x${n}`,
    title,
    url: `https://example.org/${n}`,
    sourceDate: Date.UTC(2026, 10, 18, 9),
    content: `Text of ${title}`,
    author: 'Ann',
    licence: 'CC BY 4.0',
    engagement: { score: 3 },
  }
  await store.topics.add([found], categoryId, collectedAt)
  const [job] = await store.jobs.claim({
    stages: ['EXTRACT'],
    owner: 'seed',
    now: Number.MAX_SAFE_INTEGER,
    leaseUntil: Number.MAX_SAFE_INTEGER,
    limit: 1,
  })
  const id = job!.topicId!
  await store.jobs.finish(job!, collectedAt, async tables => {
    if (stage === 'scanned') return
    await tables.topics.extracted(id, { text: `# ${title}\n\nWhole text`, status: 'COMPLETED' })
    const result: AnalysisResult = {
      qualityScore: seed.qualityScore ?? 0.8,
      relevanceScore: seed.relevanceScore ?? 0.9,
      summary: seed.summary ?? `About ${title}`,
      tags: seed.tags ?? ['otel', 'tracing'],
      language: 'en',
      groupId: seed.groupId ?? null,
      reasons: { method: 'heuristic', notes: ['because'] },
      bands: [n],
    }
    if (stage === 'analyzed') await tables.topics.analyzed(id, result)
    if (stage === 'rejected') await tables.topics.rejected(id, 'quality: 0.20 < 0.50', { ...result, qualityScore: 0.2 })
  })
  return id
}
