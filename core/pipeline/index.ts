/**
 * From a resolved configuration to a running graph: `configure` decodes and checks, `plan` decides what is wired to
 * what, `Graph` builds, starts, changes and stops it.
 * @module
 */
export {
  type Configuration,
  type Configured,
  type PipelineConfiguration,
  type Reference,
  SECTIONS,
} from './configuration.ts'
export { type ConfigureOptions, configure } from './configure.ts'
export type { AdviceOn } from './decode-components.ts'
export type { TelemetrySection } from './decode-service.ts'
export { type Change, type Ending, Graph, NotRestored } from './graph.ts'
export type { Offered } from './offered.ts'
export { PipelineId } from './pipeline-id.ts'
export { plan } from './plan.ts'
export {
  type ConnectorNode,
  type ExporterNode,
  type ExtensionNode,
  edgesOf,
  type PipelineNode,
  type Plan,
  type PlanEdge,
  type PlanNode,
  type PlannedPipeline,
  type ProcessorNode,
  type ReceiverNode,
} from './planned.ts'
export type { GraphServices, LedgerEntries, PipelineEntries } from './services.ts'
