/**
 * The door of `millrace/testing`, for authors of components: everything that needs no test runner and no library. The
 * suites, which need Vitest, are `millrace/testing/conformance`.
 * @module
 */
export * from './clock.ts'
export * from './configure.ts'
export * from './context.ts'
export * from './files.ts'
export * from './host.ts'
export * from './ledger.ts'
export * from './logger.ts'
export * from './meter.ts'
export * from './records.ts'
export * from './run-component.ts'
export * from './sink.ts'
export * from './until.ts'
