import { isDeepStrictEqual } from 'node:util'
import type { Plan, PlanNode } from './planned.ts'
import type { Running } from './running.ts'
import { sameConfigured } from './same-configured.ts'

/**
 * The keys of running components that can go on as they are under `plan`: started, configured alike, giving out and
 * taking in the same signals, and, for connectors, feeding the same pipelines. A component that asked the host for an
 * extension which is replaced, removed or new is not among them: it may hold on to it.
 */
export function keepable(running: ReadonlyMap<string, Running>, plan: Plan): Set<string> {
  const nodes = new Map<string, PlanNode>([...plan.extensions, ...plan.components].map(node => [node.key, node]))
  const kept = new Set<string>()
  for (const [key, component] of running) {
    const node = nodes.get(key)
    if (node !== undefined && component.started && samePlace(component.node, node)) kept.add(key)
  }
  while (dropOneWithLostExtension(running, plan, kept)) {
    // An extension that cannot be kept takes those with it that asked for it.
  }
  return kept
}

function dropOneWithLostExtension(running: ReadonlyMap<string, Running>, plan: Plan, kept: Set<string>): boolean {
  const before = [...running.values()].filter(one => one.node.kind === 'extension').map(one => one.instance.id)
  const after = plan.extensions.map(node => node.configured.id.toString())
  const changed = new Set([...before, ...after].filter(id => !kept.has(`extension:${id}`)))
  for (const key of kept) {
    const { asked } = running.get(key)!
    if ((asked.has('*') && changed.size > 0) || [...asked].some(id => changed.has(id))) return kept.delete(key)
  }
  return false
}

function samePlace(a: PlanNode, b: PlanNode): boolean {
  if (!sameConfigured(a.configured, b.configured)) return false
  if (!isDeepStrictEqual(a.signals, b.signals)) return false
  return a.kind !== 'connector' || b.kind !== 'connector' || sameMembers(a.outputs, b.outputs)
}

function sameMembers(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every(member => b.includes(member))
}
