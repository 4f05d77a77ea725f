/**
 * The door of `millrace/component`, for authors of components: all that one is made of, in one place. `millrace/core/…`
 * has the rest.
 * @module
 */
export { type Option, type Schema, type Static, t } from '#core/config'
export {
  type Attributes,
  build,
  type DataPoint,
  Double,
  type Draft,
  flatRecords,
  isSignal,
  key,
  type LogRecord,
  type Metric,
  merge,
  openDraft,
  Payload,
  type Resource,
  SIGNALS,
  type Signal,
  type Span,
  split,
  type TelemetryRecord,
  toJson,
  type Value,
} from '#core/data'
export * from './index.ts'
