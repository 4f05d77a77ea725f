import type { PipelineNode, Plan } from '#core/pipeline'

/**
 * The components, as `kind:id`, through which telemetry goes that is handed to `pipelines`: their processors and
 * exporters, and those of every pipeline that a connector feeds from there.
 */
export function carriersOf(plan: Plan, pipelines: readonly string[]): ReadonlySet<string> {
  const nodes = new Map(plan.components.map(node => [node.key, node]))
  const carriers = new Set<string>()
  const seen = new Set(pipelines)
  // Grows while it is walked: a set hands out what is added meanwhile.
  for (const id of seen) {
    const pipeline = plan.pipelines.get(id)
    for (const key of [...(pipeline?.processors ?? []), ...(pipeline?.targets ?? [])]) {
      const node = nodes.get(key)
      if (node === undefined) continue
      carriers.add(nameOf(node))
      if (node.kind === 'connector') for (const output of node.outputs) seen.add(output)
    }
  }
  return carriers
}

function nameOf(node: PipelineNode): string {
  return `${node.kind}:${node.configured.id}`
}
