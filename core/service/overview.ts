import type { ComponentOverview, FeatureGateOverview, Overview, PipelineOverview } from '#core/component'
import { printYaml, REDACTED, redactSchema } from '#core/config'
import type { Plan, PlanNode, PlannedPipeline } from '#core/pipeline'
import { FEATURE_GATES } from './cli/feature-gate.ts'

/** What runs by `plan`, for pages that show it. `gates` are the feature gates that are on. */
export function overviewOf(plan: Plan, gates: ReadonlySet<string>, startTime: number): Overview {
  const nodes = new Map(plan.components.map(node => [node.key, componentOf(node)]))
  return {
    startTime,
    pipelines: [...plan.pipelines.values()].map(pipeline => pipelineOf(pipeline, nodes)),
    extensions: plan.extensions.map(componentOf),
    featureGates: FEATURE_GATES.map(({ id, description, stage }): FeatureGateOverview => {
      return { id, description, stage, enabled: gates.has(id) }
    }),
  }
}

function pipelineOf(pipeline: PlannedPipeline, nodes: ReadonlyMap<string, ComponentOverview>): PipelineOverview {
  const { id, sources, processors, targets } = pipeline
  const at = (keys: readonly string[]) => keys.flatMap(key => nodes.get(key) ?? [])
  return {
    id: id.toString(),
    signal: id.signal,
    receivers: at(sources),
    processors: at(processors),
    exporters: at(targets),
  }
}

/** The configuration is printed when somebody asks for it. */
function componentOf({ kind, configured }: PlanNode): ComponentOverview {
  const { id, definition, config } = configured
  return {
    kind,
    id: id.toString(),
    get config() {
      return withoutUsers(printYaml(redactSchema(definition.config, config)))
    },
  }
}

/** User and password in a URL are not known as secrets to the schema. */
function withoutUsers(text: string): string {
  return text.replace(/(\w:\/\/)[^/\s"'@]+@/g, `$1${REDACTED}@`)
}
