import type { PlanEdge } from './planned.ts'
import type { Running } from './running.ts'

/**
 * The components whose outlets lead straight into `key`. Transforms have no hop of their own: what feeds them feeds
 * what they feed.
 */
export function feedersOf(
  key: string,
  edges: readonly PlanEdge[],
  running: ReadonlyMap<string, Running>,
  seen = new Set<string>(),
): Set<Running> {
  const found = new Set<Running>()
  for (const { from, to } of edges) {
    if (to !== key || seen.has(from)) continue
    seen.add(from)
    const feeder = running.get(from)!
    if (feeder.transform === undefined) found.add(feeder)
    else for (const further of feedersOf(from, edges, running, seen)) found.add(further)
  }
  return found
}
