import { defineExporter } from '#core/component'
import { checkOtlpHttp, otlpHttpConfig } from './config.ts'
import { createOtlpHttpExporter } from './exporter.ts'

/** Sends OTLP over HTTP. */
export const otlpHttpExporter = defineExporter({
  type: 'otlp_http',
  aliases: ['otlphttp'],
  description: 'Sends OTLP over HTTP.',
  stability: { traces: 'stable', metrics: 'stable', logs: 'stable', profiles: 'alpha' },
  config: otlpHttpConfig,
  check: checkOtlpHttp,
  create: createOtlpHttpExporter,
})

/** The same under its short name, for programs that import it from its own door. */
export { otlpHttpExporter as otlpHttp }
