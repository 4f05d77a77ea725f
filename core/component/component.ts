import type { Tracer } from '@opentelemetry/api'
import type { Draft, Signal } from '#core/data'
import type { Clock } from './clock.ts'
import type { ConsumeContext, Consumers } from './consumer.ts'
import type { ReadinessPart, Route } from './contributions.ts'
import type { ComponentId } from './id.ts'
import type { Meter } from './instruments.ts'
import type { Ledger } from './ledger.ts'
import type { Logger } from './logger.ts'
import type { InstanceId, Kind, Status, StatusEvent } from './status.ts'

/**
 * What every component is. Construction opens nothing; `start` opens, `shutdown` closes what was opened, may be called
 * without `start` and more than once, and lets what was accepted go on before it resolves.
 */
export interface Component {
  start?(host: Host): Promise<void>
  shutdown?(ending?: Ending): Promise<void>
  /** Routes mounted on the `api` extension while the component runs. */
  readonly routes?: readonly Route[]
  /** Parts of `/readyz` while the component runs. */
  readonly readiness?: readonly ReadinessPart[]
}

/** Why a component is shut down. */
export interface Ending {
  /** A component of the same id will be started in its place: a port may stay open for it. */
  readonly replaced?: boolean
}

/**
 * A processor that only looks at or edits records. Neighbouring transforms of a pipeline share one draft, so the bytes
 * are put together once. Whatever it drops is entered in the ledger under its id.
 */
export interface Transform<S extends Signal = Signal> extends Component {
  transform(draft: Draft<S>, context: ConsumeContext): void | Promise<void>
}

/** What a component may ask of the collector it runs in, from `start` on. */
export interface Host {
  /** A started extension by id, `undefined` when `service::extensions` does not list it. */
  extension(id: string): Component | undefined
  readonly extensions: ReadonlyMap<string, Component>
  /** Routes of all running components, now. */
  routes(): readonly Route[]
  /** Readiness parts of all running components, now. */
  readiness(): readonly ReadinessPart[]
  /** Calls `changed` whenever what `routes` or `readiness` answer has changed. Returns how to stop it. */
  onContributionsChanged(changed: () => void): () => void
  /** Calls `listener` with every status event, beginning with the present state of each component. Returns how to stop it. */
  onStatus(listener: (instance: InstanceId, event: StatusEvent) => void): () => void
  /** The collector's own metrics in the Prometheus text format. */
  metricsText(): Promise<{ readonly contentType: string; readonly body: string }>
  /** The item ledger: what was received, sent, queued and dropped, by pipeline and exporter. */
  ledger(): LedgerReport
  /**
   * Feeds the collector's own spans, metrics and logs into a pipeline: a receiver calls this with the consumers it was
   * given, naming the pipelines it feeds. Returns how to stop it: what waits is handed over first.
   */
  subscribeOwnTelemetry(next: Consumers, options?: OwnTelemetryOptions): () => Promise<void>
  /** What runs and how it is wired, now. */
  overview(): Overview
  /** Name and version of the distribution. */
  readonly build: BuildInfo
}

/** How a component takes the collector's own telemetry. */
export interface OwnTelemetryOptions {
  /** Milliseconds between two collections of metrics. */
  readonly metricsInterval?: number
  /**
   * The pipelines that it is handed to. What components of these, and of those that connectors feed from them, log and
   * trace is left out: telling about carrying own telemetry would make more of it, without end.
   */
  readonly pipelines?: readonly string[]
}

/** A running collector as a whole, for pages that show it. */
export interface Overview {
  /** Milliseconds since the Unix epoch. */
  readonly startTime: number
  readonly pipelines: readonly PipelineOverview[]
  /** In start order. */
  readonly extensions: readonly ComponentOverview[]
  readonly featureGates: readonly FeatureGateOverview[]
}

/** One pipeline; `kind` tells connectors from receivers and exporters. */
export interface PipelineOverview {
  readonly id: string
  readonly signal: Signal
  readonly receivers: readonly ComponentOverview[]
  readonly processors: readonly ComponentOverview[]
  readonly exporters: readonly ComponentOverview[]
}

/** One component and its configuration as it received it, as YAML in which secrets read `[REDACTED]`. */
export interface ComponentOverview {
  readonly kind: Kind
  readonly id: string
  readonly config: string
}

export interface FeatureGateOverview {
  readonly id: string
  readonly description: string
  readonly stage: string
  readonly enabled: boolean
}

export interface BuildInfo {
  /** The command, for example `millrace`. */
  readonly command: string
  readonly description: string
  readonly version: string
}

export interface LedgerReport {
  readonly pipelines: Readonly<Record<string, PipelineLedger>>
  readonly exporters: Readonly<Record<string, ExporterLedger>>
}

/** received + created = refused + dropped + queued + delivered, once nothing is under way. */
export interface PipelineLedger {
  /** Items handed to the pipeline by its receivers and connectors. */
  readonly received: number
  readonly created: number
  /** Given back to the sender with an error; not acknowledged. */
  readonly refused: number
  /** By reason. */
  readonly dropped: Readonly<Record<string, number>>
  /** Waiting inside processors. */
  readonly queued: number
  /** Items that left the last processor and were taken by all exporters of the pipeline, each item once. */
  readonly delivered: number
}

/** received + created = refused + sent + queued + dropped, once nothing is under way. */
export interface ExporterLedger {
  readonly received: number
  /** Found at start in a queue that outlived an earlier process. */
  readonly created: number
  readonly refused: number
  readonly sent: number
  readonly queued: number
  readonly dropped: Readonly<Record<string, number>>
}

/** What a component is given when it is created. */
export interface Context {
  readonly id: ComponentId
  readonly build: BuildInfo
  readonly logger: Logger
  readonly meter: Meter
  /** Spans of the collector about itself; records nothing unless `service::telemetry::traces` asks for it. */
  readonly tracer: Tracer
  readonly ledger: Ledger
  readonly clock: Clock
  /** Tells the collector how this component is. `FatalError` stops the collector. */
  report(status: Status, error?: Error): void
  /**
   * State that all instances of this component id share. The first call creates it, the last instance's shutdown
   * disposes of it. `create` is called once per id and configuration.
   */
  shared<T extends object>(create: () => T): T
}

/** The context of receivers, processors, exporters and connectors: they have signals and a place in pipelines. */
export interface PipelineContext extends Context {
  /** The signals wired to this instance. */
  readonly signals: readonly Signal[]
  /** The pipelines it serves. */
  readonly pipelines: readonly string[]
}
