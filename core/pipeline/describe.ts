import type { PlanNode } from './planned.ts'

/** As in the Collector's messages: `"otlp" receiver`, `"batch" processor, in pipeline "traces"`. */
export function describe(node: PlanNode): string {
  const name = `"${node.configured.id}" ${node.kind}`
  return node.kind === 'processor' ? `${name}, in pipeline "${node.pipelines[0]}"` : name
}

export function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
