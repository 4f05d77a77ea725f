import type { EmbeddingSpace } from '../language_model/language-model.ts'
import type { Topic } from '../model/topic.ts'
import type { Neighbour, Tables } from '../store/store.ts'
import { ACTIVE } from './neighbours.ts'

/** A topic must be so near to one member at least, below the threshold for the centre: groups do not wander. */
const SLACK = 0.05
const GROUPS = 5

/**
 * The group that a topic belongs to: one whose centre is near and that has a member that is near; else a new one with
 * the nearest topic that has none. `null` when nothing is near. To be decided under `tables.exclusive('grouping')`.
 * @param neighbours nearest first; those that are no longer analysed do not count
 */
export async function groupOf(
  tables: Pick<Tables, 'groups' | 'topics' | 'vectors'>,
  topic: Topic,
  vector: Float32Array,
  neighbours: readonly Neighbour<number>[],
  space: EmbeddingSpace,
  now: number,
): Promise<string | null> {
  // Analysed anew: a group's id never changes, and neither does who is in it.
  if (topic.groupId !== null) return topic.groupId
  const { group } = space.thresholds
  const near = neighbours.filter(({ id, similarity }) => id !== topic.id && similarity >= group - SLACK)
  if (near.length === 0) return null
  const present = (await tables.topics.many(near.map(({ id }) => id))).filter(({ stage }) => stage === 'analyzed')
  const groups = new Map(present.map(each => [each.id, each.groupId]))
  const members = new Set(groups.values())
  for (const { id, similarity } of await tables.groups.nearest(space.model, vector, now - ACTIVE, GROUPS)) {
    if (similarity < group) break
    if (!members.has(id)) continue
    await tables.groups.join(id, topic.id, vector, now)
    return id
  }
  const partner = near.find(({ id, similarity }) => similarity >= group && groups.get(id) === null)
  return partner === undefined ? null : found(tables, topic, vector, partner.id, space, now)
}

async function found(
  tables: Pick<Tables, 'groups' | 'vectors'>,
  topic: Topic,
  vector: Float32Array,
  partner: number,
  space: EmbeddingSpace,
  now: number,
): Promise<string> {
  const theirs = await tables.vectors.get('topic', partner)
  const centre = theirs?.model === space.model ? mean(vector, theirs.vector) : vector
  return tables.groups.create(space.model, centre, [partner, topic.id], now)
}

function mean(a: Float32Array, b: Float32Array): Float32Array {
  const sum = a.map((value, i) => value + (b[i] ?? 0))
  const length = Math.hypot(...sum)
  return length === 0 ? a : sum.map(value => value / length)
}
