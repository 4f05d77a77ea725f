import type { EmbeddingSpace } from '../language_model/language-model.ts'
import type { Topic } from '../model/topic.ts'
import type { Tables } from '../store/store.ts'

/**
 * Analysed topics that belong with `topic`: those of its group, best first, then its nearest neighbours that are near
 * enough in `space`.
 */
export async function relatedTopics(
  tables: Pick<Tables, 'topics' | 'vectors'>,
  topic: Topic,
  limit: number,
  space: EmbeddingSpace | undefined,
): Promise<Topic[]> {
  const group = topic.groupId === null ? [] : await tables.topics.ofGroup(topic.groupId, limit + 1)
  const related = group.filter(({ id }) => id !== topic.id).slice(0, limit)
  if (related.length === limit || space === undefined || !tables.vectors.available) return related
  const own = await tables.vectors.get('topic', topic.id)
  if (own?.model !== space.model) return related
  const known = new Set([topic.id, ...related.map(({ id }) => id)])
  const neighbours = await tables.vectors.nearest('topic', space.model, own.vector, limit + known.size)
  const near = neighbours.filter(({ id, similarity }) => !known.has(id) && similarity >= space.thresholds.related)
  return [...related, ...(await tables.topics.many(near.slice(0, limit - related.length).map(({ id }) => id)))]
}
