import { defineReceiver } from '#core/component'
import { checkOtlpReceiverConfig, otlpReceiverConfig } from './config.ts'
import { OtlpReceiver } from './receiver.ts'

/** Takes in telemetry by the OpenTelemetry protocol over gRPC and HTTP. */
export const otlpReceiver = defineReceiver({
  type: 'otlp',
  description: 'Takes in telemetry by the OpenTelemetry protocol over gRPC and HTTP.',
  stability: { traces: 'stable', metrics: 'stable', logs: 'stable', profiles: 'development' },
  config: otlpReceiverConfig,
  check: checkOtlpReceiverConfig,
  create: (config, next, context) => new OtlpReceiver(config, next, context),
})

/** The same under its short name, for programs that import it from its own door. */
export { otlpReceiver as otlp }
