import type { Tracer } from '@opentelemetry/api'
import type { Consumers, Labels, LogFields, Logger, Meter } from '#core/component'
import type { LedgerBook } from './ledger-book.ts'

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
  /** See `Host.subscribeOwnTelemetry`. */
  subscribe(next: Consumers, options?: { readonly metricsInterval?: number }): () => void
  /** Opens the metrics page and starts exporting own signals. */
  start(): Promise<void>
  shutdown(): Promise<void>
}
