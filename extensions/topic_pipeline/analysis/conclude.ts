import type { Clock, Recorders } from '#core/component'
import type { LanguageModel } from '../language_model/language-model.ts'
import type { Neighbour, Tables } from '../store/store.ts'
import { sameText, sameVector } from './duplicates.ts'
import type { Examination } from './examination.ts'
import { duplicateOf } from './filters.ts'
import { groupOf } from './grouping.ts'
import { refreshed } from './neighbours.ts'
import type { analysisInstruments } from './telemetry.ts'

export interface ConcludeDeps {
  readonly clock: Clock
  readonly model: LanguageModel
  readonly recorders: Recorders<typeof analysisInstruments>
}

/**
 * What writes the result of an examination. Duplicates are looked for once more and groups are decided inside, where
 * nobody else decides about groups at the same time: of two topics that are analysed side by side one is the first.
 */
export function conclude(
  examination: Examination,
  deps: ConcludeDeps,
  filter?: string,
  objection?: string,
): (tables: Tables) => Promise<void> {
  const { id } = examination.subject.topic
  return async tables => {
    if ((await tables.topics.get(id))?.stage !== 'extracted') return
    if (filter !== undefined && objection !== undefined) return reject(tables, examination, deps, filter, objection)
    await tables.exclusive('grouping')
    const { vector, neighbourhood, fingerprint } = examination
    const space = deps.model.embedding
    const placed = vector !== undefined && neighbourhood !== undefined && space !== undefined
    const neighbours = placed ? await refreshed(tables, neighbourhood, vector, space) : []
    const duplicate =
      (await sameText(tables, id, fingerprint)) ??
      (placed ? await sameVector(tables, id, neighbours, space) : undefined)
    if (duplicate !== undefined) return reject(tables, examination, deps, 'duplicate', duplicateOf(duplicate)!)
    await accept(tables, examination, deps, neighbours)
  }
}

async function reject(
  tables: Tables,
  examination: Examination,
  { recorders }: ConcludeDeps,
  filter: string,
  objection: string,
): Promise<void> {
  await tables.topics.rejected(examination.subject.topic.id, `${filter}: ${objection}`, examination.partial)
  recorders.rejected.add(1, { filter })
}

async function accept(
  tables: Tables,
  examination: Examination,
  { clock, model, recorders }: ConcludeDeps,
  neighbours: readonly Neighbour<number>[],
): Promise<void> {
  const { subject, vector, fingerprint, language, reasons, method } = examination
  const { topic } = subject
  const space = model.embedding
  const placed = vector !== undefined && space !== undefined && tables.vectors.available
  const now = clock.now()
  if (placed) await tables.vectors.set('topic', topic.id, space.model, vector, now)
  const groupId = placed ? await groupOf(tables, topic, vector, neighbours, space, now) : topic.groupId
  await tables.topics.analyzed(topic.id, {
    qualityScore: examination.quality!.score,
    relevanceScore: examination.relevance!.score,
    summary: examination.summary!,
    tags: examination.tags!,
    language,
    groupId,
    reasons,
    bands: fingerprint.bands,
  })
  recorders.analyzed.add(1, { method })
}
