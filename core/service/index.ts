/**
 * The collector as a thing that an application creates, starts, reloads and stops, and the command line around it.
 * @module
 */
export type { CliSettings } from './cli/cli-command.ts'
export type { CliIo, CliSignal, TextSink } from './cli/cli-io.ts'
export { configurationSchema } from './cli/configuration-schema.ts'
export { ExitCode } from './cli/exit-code.ts'
export { runCli } from './cli/run-cli.ts'
export { runProcess } from './cli/run-process.ts'
export { Collector, type CollectorOptions } from './collector.ts'
export type { CollectorState } from './collector-state.ts'
export {
  type ComponentModule,
  ComponentModules,
  type ComponentRequest,
  isPath,
  NotLoaded,
} from './components/component-modules.ts'
export { type Loaded, load, type Sources } from './loaded.ts'
export { hintFor } from './migrate/substitute.ts'
export type { LogEntry, LogLevel } from './telemetry/log-line.ts'
export type { TelemetryConfig, WrittenTelemetry } from './telemetry/schema.ts'
