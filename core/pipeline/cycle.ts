import type { PipelineNode, PlanEdge } from './planned.ts'

/**
 * The ways on which telemetry would go round for ever, each as the nodes from a connector back to the same connector.
 * Only connectors lead from one pipeline into another, so every cycle passes one. Cycles that share a connector with
 * one already found are not looked for: breaking the first usually breaks them too.
 */
export function findCycles(nodes: readonly PipelineNode[], edges: readonly PlanEdge[]): PipelineNode[][] {
  const byKey = new Map(nodes.map(node => [node.key, node]))
  const fed = Map.groupBy(edges, edge => edge.from)
  const found: PipelineNode[][] = []
  const seen = new Set<string>()
  for (const { kind, key } of nodes) {
    if (kind !== 'connector' || seen.has(key)) continue
    const cycle = shortestCycle(key, fed)
    if (cycle === undefined) continue
    for (const member of cycle) seen.add(member)
    found.push(cycle.map(member => byKey.get(member)!))
  }
  return found
}

/** Breadth first from `start` until `start` is met again. */
function shortestCycle(start: string, fed: ReadonlyMap<string, readonly PlanEdge[]>): string[] | undefined {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const key of queue) {
    for (const { to } of fed.get(key) ?? []) {
      if (to === start) {
        const cycle = [start]
        for (let at: string | undefined = key; at !== undefined; at = cameFrom.get(at)) cycle.unshift(at)
        return cycle
      }
      if (cameFrom.has(to)) continue
      cameFrom.set(to, key)
      queue.push(to)
    }
  }
  return undefined
}

/** The Collector's sentence for a cycle. */
export function describeCycle(cycle: readonly PipelineNode[]): string {
  return `cycle detected: ${cycle.map(describe).join(' -> ')}`
}

function describe(node: PipelineNode): string {
  const { id } = node.configured
  if (node.kind === 'connector') return `connector "${id}" (${node.signals[0]} to ${node.signals[1]})`
  return `processor "${id}" in pipeline "${node.pipelines[0]}"`
}
