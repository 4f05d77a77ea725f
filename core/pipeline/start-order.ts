import type { PipelineNode, PlanEdge } from './planned.ts'

/**
 * Each component after all that it feeds; exporters first, receivers last of all, even across pipelines, so that
 * nothing enters before everything is ready. Stopping goes the other way round. The graph must be free of cycles.
 */
export function startOrder(nodes: readonly PipelineNode[], edges: Iterable<PlanEdge>): PipelineNode[] {
  const byKey = new Map(nodes.map(node => [node.key, node]))
  const fed = new Map<string, string[]>()
  for (const { from, to } of edges) {
    const targets = fed.get(from)
    if (targets === undefined) fed.set(from, [to])
    else targets.push(to)
  }
  const order = new Set<PipelineNode>()
  const visit = (key: string): void => {
    const node = byKey.get(key)!
    if (order.has(node)) return
    for (const target of fed.get(key) ?? []) visit(target)
    order.add(node)
  }
  for (const kind of ['exporter', 'processor', 'connector', 'receiver'] as const) {
    for (const node of nodes) if (node.kind === kind) visit(node.key)
  }
  return [...order]
}
