import { toJson } from '#core/data'
import type { OwnExporter } from './own-exporter.ts'

/** Prints own telemetry to `stdout`, an OTLP/JSON request a line. */
export function consoleExporter(stdout: { write(text: string): unknown }): OwnExporter {
  return {
    async export(payload) {
      stdout.write(`${toJson(payload)}\n`)
    },
    async close() {},
  }
}
