/**
 * The door of the package, `import … from 'millrace'`: a collector as a part of a program, and what the author of a
 * component needs.
 * @module
 */
export * from '#core/component'
export { type Bytes, ConfigError, type Duration, type Fault, type Static, t, type Written } from '#core/config'
export {
  type Attributes,
  type DataPoint,
  type Draft,
  type LogRecord,
  type Metric,
  Payload,
  type Resource,
  type Scope,
  SIGNALS,
  type Signal,
  type Span,
} from '#core/data'
export type { CollectorState, LogEntry } from '#core/service'
export type { Components, ConfigOf } from './config-of.ts'
export {
  type ComponentStatus,
  type CreateCollectorOptions,
  createCollector,
  type EmbeddedCollector,
  type ReloadResult,
} from './create-collector.ts'
export { type Defined, defineConfig } from './define-config.ts'
