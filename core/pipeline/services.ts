import type { Tracer } from '@opentelemetry/api'
import type {
  BuildInfo,
  Clock,
  Component,
  Host,
  InstanceId,
  Labels,
  Ledger,
  LogFields,
  Logger,
  Meter,
  Status,
} from '#core/component'
import type { Offered } from './offered.ts'

/** What a running graph needs of the collector around it. */
export interface GraphServices {
  readonly build: BuildInfo
  readonly clock: Clock
  logger(fields?: LogFields): Logger
  meter(labels?: Labels): Meter
  tracer(name: string): Tracer
  readonly ledger: LedgerEntries
  /** Handed to the components; it must know the components that {@link running} was told. */
  readonly host: Host
  /** A component changed its state, or the graph changed it. Illegal moves are ignored by the listener. */
  report(instance: InstanceId, status: Status, error?: Error): void
  /** The present state, `undefined` before anything was reported. */
  statusOf(instance: InstanceId): Status | undefined
  /** The component has started. `offered` is what it offers, as others may use it. */
  running(instance: InstanceId, component: Component, offered: Offered): void
  /** The component is about to stop. */
  stopping(instance: InstanceId, component: Component): void
  /** The component goes on under another identity: it serves other pipelines. */
  moved(from: InstanceId, to: InstanceId): void
  /** The component has stopped, or goes on stopping unwatched, and will not come back as this instance. */
  gone(instance: InstanceId): void
}

export interface PipelineEntries {
  received(items: number): void
  refused(items: number): void
  delivered(items: number): void
}

/** Where the graph and its components write the ledger. */
export interface LedgerEntries {
  pipeline(id: string): PipelineEntries
  exporter(id: string): Pick<PipelineEntries, 'received' | 'refused'>
  component(instance: InstanceId): Ledger
}
