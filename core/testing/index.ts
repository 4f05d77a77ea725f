/**
 * Small real things for tests: a clock that stands still, a sink that remembers, a host, OTLP builders, and the suites
 * every component of a kind passes. Imported by tests only.
 * @module
 */
export * from './clock.ts'
export * from './configure.ts'
export * from './conformance.ts'
export * from './context.ts'
export * from './files.ts'
export * from './host.ts'
export * from './ledger.ts'
export * from './logger.ts'
export * from './meter.ts'
export * from './otlp.ts'
export * from './records.ts'
export * from './run-component.ts'
export * from './sink.ts'
export * from './until.ts'
