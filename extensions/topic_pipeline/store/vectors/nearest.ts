import type { Session } from '../session.ts'
import { dot } from './dot.ts'
import { nearestFirst } from './nearest-heap.ts'
import type { Candidate, VectorQuery } from './vector-index.ts'

/**
 * The nearest vectors of what `present` lets pass, nearest first, lowest `ref` first among equals: those of the index,
 * and in a transaction also those that it has set itself.
 */
export async function nearest(
  session: Session,
  query: VectorQuery,
  present: (refs: readonly number[]) => Promise<Set<number>>,
): Promise<Candidate[]> {
  if (!session.vectors.available || query.limit <= 0) return []
  const own = ownVectors(session, query)
  // Some of the index may be gone, in a stage that does not count, or replaced: ask for more until enough are left.
  for (let wanted = query.limit * 2 + 16; ; wanted *= 4) {
    const found = await session.vectors.search(session.read, { ...query, limit: wanted })
    const others = found.filter(each => !own.has(each.ref))
    const candidates = [...others, ...[...own.values()].filter(each => each !== undefined)]
    const allowed = candidates.length === 0 ? new Set() : await present(candidates.map(each => each.ref))
    const kept = candidates.filter(each => allowed.has(each.ref)).sort(nearestFirst)
    const enough = others.filter(each => allowed.has(each.ref)).length >= query.limit
    if (enough || found.length < wanted) return kept.slice(0, query.limit)
  }
}

/** Of a transaction: by `ref`, `undefined` where the new vector takes no part in the query. */
function ownVectors(session: Session, query: VectorQuery): Map<number, Candidate | undefined> {
  const own = new Map<number, Candidate | undefined>()
  for (const { subject, ref, model, vector, setAt } of session.setVectors) {
    if (subject !== query.subject) continue
    const takesPart = model === query.model && vector.length === query.vector.length && setAt >= query.since
    own.set(ref, takesPart ? { ref, similarity: dot(vector, query.vector) } : undefined)
  }
  return own
}
