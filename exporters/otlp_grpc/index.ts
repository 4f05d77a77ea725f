import { defineExporter } from '#core/component'
import { checkOtlpGrpc, otlpGrpcConfig } from './config.ts'
import { createOtlpGrpcExporter } from './exporter.ts'

/** Sends OTLP over gRPC. */
export const otlpGrpcExporter = defineExporter({
  type: 'otlp_grpc',
  aliases: ['otlp'],
  description: 'Sends OTLP over gRPC.',
  stability: { traces: 'stable', metrics: 'stable', logs: 'stable', profiles: 'alpha' },
  config: otlpGrpcConfig,
  check: checkOtlpGrpc,
  create: createOtlpGrpcExporter,
})

/** The same under its short name, for programs that import it from its own door. */
export { otlpGrpcExporter as otlpGrpc }
