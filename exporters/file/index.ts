import { defineExporter } from '#core/component'
import { checkFileConfig, fileConfig } from './config.ts'
import { createFileExporter } from './exporter.ts'

/** Writes telemetry to files, as OTLP/JSON lines or OTLP protobuf. */
export const fileExporter = defineExporter({
  type: 'file',
  description: 'Writes telemetry to files, as OTLP/JSON lines or OTLP protobuf.',
  stability: { traces: 'alpha', metrics: 'alpha', logs: 'alpha' },
  config: fileConfig,
  check: checkFileConfig,
  create: createFileExporter,
})

/** The same under its short name, for programs that import it from its own door. */
export { fileExporter as file }
