import { errorPlace } from '#core/component'
import { sentence } from './describe.ts'
import type { PlanNode } from './planned.ts'

/** What went wrong in a component, with `path:line:column` in its own code when it was loaded from a file. */
export function told(error: unknown, node: PlanNode): string {
  const { source } = node.configured.definition
  const place = source === undefined ? undefined : errorPlace(error, source)
  return place === undefined ? sentence(error) : `${sentence(error)}, at ${place}`
}
