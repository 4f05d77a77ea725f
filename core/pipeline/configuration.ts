import type {
  ComponentId,
  ConnectorDefinition,
  Definition,
  ExporterDefinition,
  ExtensionDefinition,
  ProcessorDefinition,
  ReceiverDefinition,
} from '#core/component'
import type { Origin, Warning } from '#core/config'
import type { PipelineId } from './pipeline-id.ts'

/** One component as configured: decoded, with defaults, checked. Components that no pipeline uses are here too. */
export interface Configured<D extends Definition = Definition> {
  /** As the user wrote it, alias included. */
  readonly id: ComponentId
  readonly definition: D
  /** What `create` receives. */
  readonly config: unknown
  readonly origin: Origin | undefined
}

/** The mention of a component in `service`. */
export interface Reference {
  /** Normalized: without blanks around type and name. */
  readonly id: string
  readonly origin: Origin | undefined
}

export interface PipelineConfiguration {
  readonly id: PipelineId
  readonly origin: Origin | undefined
  readonly receivers: readonly Reference[]
  readonly processors: readonly Reference[]
  readonly exporters: readonly Reference[]
}

/** A whole configuration, decoded and free of faults that can be seen without planning the graph. Keys are ids. */
export interface Configuration<T = unknown> {
  readonly receivers: ReadonlyMap<string, Configured<ReceiverDefinition>>
  readonly processors: ReadonlyMap<string, Configured<ProcessorDefinition>>
  readonly exporters: ReadonlyMap<string, Configured<ExporterDefinition>>
  readonly connectors: ReadonlyMap<string, Configured<ConnectorDefinition>>
  readonly extensions: ReadonlyMap<string, Configured<ExtensionDefinition>>
  /** `service::extensions`, in the order written. */
  readonly enabled: readonly Reference[]
  readonly pipelines: ReadonlyMap<string, PipelineConfiguration>
  /** `service::telemetry`. */
  readonly telemetry: T
  /** Lines for the log: deprecated names and the like. */
  readonly warnings: readonly Warning[]
}

/** The top-level section of each kind of component. */
export const SECTIONS = {
  receiver: 'receivers',
  processor: 'processors',
  exporter: 'exporters',
  connector: 'connectors',
  extension: 'extensions',
} as const
