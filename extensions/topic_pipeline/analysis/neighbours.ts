import type { EmbeddingSpace } from '../language_model/language-model.ts'
import type { Neighbour, Tables } from '../store/store.ts'

/** Groups and topics that have not been heard of for so long, in milliseconds, take nobody in any more. */
export const ACTIVE = 30 * 24 * 3_600_000
/** Neighbours that duplicates and groups are looked for among. */
const NEIGHBOURS = 20
/** Clocks of processes on one database may differ by so much, in milliseconds. */
const CLOCKS = 60_000

/** The nearest analysed topics, and when they were looked for. */
export interface Neighbourhood {
  /** Nearest first. */
  readonly neighbours: readonly Neighbour<number>[]
  /** Milliseconds since the Unix epoch. */
  readonly at: number
}

/** Looks at all topics that are active. */
export async function neighbourhood(
  tables: Pick<Tables, 'vectors'>,
  vector: Float32Array,
  space: EmbeddingSpace,
  now: number,
): Promise<Neighbourhood> {
  if (!tables.vectors.available) return { neighbours: [], at: now }
  return { neighbours: await tables.vectors.nearest('topic', space.model, vector, NEIGHBOURS, now - ACTIVE), at: now }
}

/** Looks at those alone that came since: inside a transaction everybody else waits. */
export async function refreshed(
  tables: Pick<Tables, 'vectors'>,
  { neighbours, at }: Neighbourhood,
  vector: Float32Array,
  space: EmbeddingSpace,
): Promise<readonly Neighbour<number>[]> {
  if (!tables.vectors.available) return []
  const fresh = await tables.vectors.nearest('topic', space.model, vector, NEIGHBOURS, at - CLOCKS)
  const known = new Set(fresh.map(({ id }) => id))
  const all = [...fresh, ...neighbours.filter(({ id }) => !known.has(id))]
  return all.sort((a, b) => b.similarity - a.similarity || a.id - b.id).slice(0, NEIGHBOURS)
}
