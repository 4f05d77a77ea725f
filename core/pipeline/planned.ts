import type {
  ConnectorDefinition,
  ExporterDefinition,
  ExtensionDefinition,
  ProcessorDefinition,
  ReceiverDefinition,
} from '#core/component'
import type { Signal } from '#core/data'
import type { Configuration, Configured } from './configuration.ts'
import type { PipelineId } from './pipeline-id.ts'

interface Planned {
  /** Unique in a plan and the same in every plan in which the component stands at the same place. */
  readonly key: string
  /** Ids of the pipelines it serves, in the order of the configuration. */
  readonly pipelines: readonly string[]
}

/** One a receiver id, whatever it feeds. */
export interface ReceiverNode extends Planned {
  readonly kind: 'receiver'
  readonly configured: Configured<ReceiverDefinition>
  readonly signals: readonly Signal[]
}

/** One a processor id and pipeline. */
export interface ProcessorNode extends Planned {
  readonly kind: 'processor'
  readonly configured: Configured<ProcessorDefinition>
  readonly signals: readonly [Signal]
}

/** One an exporter id, for all its pipelines and signals. */
export interface ExporterNode extends Planned {
  readonly kind: 'exporter'
  readonly configured: Configured<ExporterDefinition>
  readonly signals: readonly Signal[]
}

/** One a connector id and pair of signals. `pipelines` are both those it ends and those it begins. */
export interface ConnectorNode extends Planned {
  readonly kind: 'connector'
  readonly configured: Configured<ConnectorDefinition>
  /** Taken in, given out. */
  readonly signals: readonly [from: Signal, to: Signal]
  /** The pipelines it ends. */
  readonly inputs: readonly string[]
  /** The pipelines it begins. */
  readonly outputs: readonly string[]
}

/** One an extension id. */
export interface ExtensionNode extends Planned {
  readonly kind: 'extension'
  readonly configured: Configured<ExtensionDefinition>
  readonly signals: readonly []
}

export type PipelineNode = ReceiverNode | ProcessorNode | ExporterNode | ConnectorNode
export type PlanNode = PipelineNode | ExtensionNode

/** The way through one pipeline, as keys of nodes. */
export interface PlannedPipeline {
  readonly id: PipelineId
  /** Receivers and connectors that feed it. */
  readonly sources: readonly string[]
  readonly processors: readonly string[]
  /** Exporters and connectors that it feeds. */
  readonly targets: readonly string[]
}

/** What will run and how it is wired. Nothing is built, so a plan is cheap to make, to compare and to throw away. */
export interface Plan {
  readonly configuration: Configuration
  /** Extensions in the order in which they start: each after those it depends on. */
  readonly extensions: readonly ExtensionNode[]
  /** Everything in pipelines in the order in which it starts: each after all it feeds, receivers last of all. */
  readonly components: readonly PipelineNode[]
  readonly pipelines: ReadonlyMap<string, PlannedPipeline>
}

/** One hop of telemetry between two components. */
export interface PlanEdge {
  readonly from: string
  readonly to: string
  readonly pipeline: string
}

/** Every hop: sources to the first processor, processors to one another, the last one to each target. */
export function* edgesOf(pipelines: Iterable<PlannedPipeline>): Generator<PlanEdge> {
  for (const { id, sources, processors, targets } of pipelines) {
    const pipeline = id.toString()
    let from = sources
    for (const processor of processors) {
      for (const source of from) yield { from: source, to: processor, pipeline }
      from = [processor]
    }
    for (const source of from) for (const target of targets) yield { from: source, to: target, pipeline }
  }
}
