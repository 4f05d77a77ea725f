import { defineExporter } from '#core/component'
import { checkDebugConfig, debugConfig } from './config.ts'
import { createDebugExporter } from './exporter.ts'

/** Prints what passes, for looking at telemetry while setting up a pipeline. */
export const debugExporter = defineExporter({
  type: 'debug',
  description: 'Prints what passes, for looking at telemetry while setting up a pipeline.',
  stability: { traces: 'alpha', metrics: 'alpha', logs: 'alpha', profiles: 'alpha' },
  config: debugConfig,
  check: checkDebugConfig,
  create: createDebugExporter,
})

/** The same under its short name, for programs that import it from its own door. */
export { debugExporter as debug }
