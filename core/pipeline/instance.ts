import type { InstanceId } from '#core/component'
import type { PlanNode } from './planned.ts'

/** Who reports: the component at `node`. */
export function instanceAt(node: PlanNode): InstanceId {
  return Object.freeze({ kind: node.kind, id: node.configured.id.toString(), pipelines: node.pipelines })
}
