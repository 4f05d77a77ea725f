import type { Updateable } from 'kysely'
import type { TopicStage } from '../../model/stages.ts'
import { count } from '../counters.ts'
import type { TopicRow } from '../schema.ts'
import type { OpenSession } from '../session.ts'
import { searchText } from './topic-rows.ts'

export type TopicChange = Omit<Updateable<TopicRow>, 'stage' | 'search_text' | 'title' | 'category_id'>

/** A topic cannot go from the stage it is in to the one that was asked for. */
export class StageConflict extends Error {
  override name = 'StageConflict'
}

/** From where each stage is reached. */
const BEFORE: Readonly<Record<TopicStage, readonly TopicStage[]>> = {
  scanned: [],
  extracted: ['scanned', 'extracted', 'analyzed', 'rejected'],
  analyzed: ['extracted'],
  rejected: ['scanned', 'extracted'],
}

/**
 * Brings a topic to `stage` with what was found out about it, and moves the counters along.
 * @throws {StageConflict}
 */
export async function moveTopic(open: OpenSession, id: number, stage: TopicStage, change: TopicChange): Promise<void> {
  const query = open.read
    .selectFrom('topics')
    .select(['stage', 'category_id', 'source_type', 'title', 'summary'])
    .where('id', '=', id)
  const topic = await (open.kind === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
  if (topic === undefined) throw new StageConflict(`Topic ${id} cannot become ${stage}: there is none of that id`)
  if (!BEFORE[stage].includes(topic.stage)) {
    throw new StageConflict(`Topic ${id} cannot become ${stage}: it is ${topic.stage}`)
  }
  const summary = change.summary === undefined ? topic.summary : change.summary
  await open.read
    .updateTable('topics')
    .set({ ...change, stage, search_text: searchText(topic.title, summary) })
    .where('id', '=', id)
    .execute()
  if (topic.stage === stage) return
  const category = String(topic.category_id ?? '')
  count(open, 'topics', [topic.stage, category, topic.source_type], -1)
  count(open, 'topics', [stage, category, topic.source_type], 1)
}
