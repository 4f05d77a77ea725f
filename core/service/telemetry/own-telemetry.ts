import type { Tracer } from '@opentelemetry/api'
import type { Consumers, Labels, LogFields, Logger, Meter } from '#core/component'
import type { LedgerBook } from './ledger-book.ts'

/** How a pipeline of the same collector takes own telemetry. */
export interface OwnTelemetrySubscription {
  /** Milliseconds between two collections of metrics. */
  readonly metricsInterval?: number
  /**
   * Whether a component (`kind:id`) carries what is handed over here. Its lines and spans are left out: telling about
   * carrying own telemetry would make more of it to carry, without end.
   */
  carries?(component: string): boolean
}

/** What the collector tells about itself. One a collector; nothing of it is global. */
export interface OwnTelemetry {
  /** A logger whose lines carry `fields`. */
  logger(fields?: LogFields): Logger
  /** A meter whose recorders carry `labels`, for instance `{ exporter: 'otlp_grpc' }`. */
  meter(labels?: Labels): Meter
  tracer(name: string): Tracer
  readonly ledger: LedgerBook
  /** The Prometheus text format. */
  metricsText(): Promise<{ readonly contentType: string; readonly body: string }>
  /** Hands own telemetry to pipelines of the same collector. Returns how to stop it: what waits is handed over first. */
  subscribe(next: Consumers, options?: OwnTelemetrySubscription): () => Promise<void>
  /**
   * Opens the metrics page and the exporters of own telemetry.
   * @throws when one cannot be opened
   */
  start(): Promise<void>
  /** Exports what waits and closes everything, the log last. */
  shutdown(): Promise<void>
}
