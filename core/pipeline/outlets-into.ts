import type { Cell } from './cell.ts'
import { edgesOf, type PlannedPipeline } from './planned.ts'
import type { Running } from './running.ts'

/**
 * The outlets that lead straight into the component at `key`, each with whose it is. Transforms have no hop of their
 * own: what feeds them feeds what they feed.
 */
export function* outletsInto(
  key: string,
  pipelines: Iterable<PlannedPipeline>,
  running: ReadonlyMap<string, Running>,
): Generator<readonly [Running, Cell]> {
  for (const pipeline of pipelines) {
    for (const { from, to } of edgesOf([pipeline])) {
      if (to !== key) continue
      const feeder = running.get(from)!
      if (feeder.transform === undefined) for (const cell of feeder.outletsTo(pipeline.id)) yield [feeder, cell]
      else yield* outletsInto(from, [pipeline], running)
    }
  }
}
