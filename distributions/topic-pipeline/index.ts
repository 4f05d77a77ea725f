// Written from builder.yaml by `npm run distributions`. Changes belong there.
import type { Distribution } from '#core/component'
import { debugExporter } from '../../exporters/debug/index.ts'
import { nopExporter } from '../../exporters/nop/index.ts'
import { otlpGrpcExporter } from '../../exporters/otlp_grpc/index.ts'
import { otlpHttpExporter } from '../../exporters/otlp_http/index.ts'
import { apiExtension } from '../../extensions/api/index.ts'
import { basicAuthExtension } from '../../extensions/basicauth/index.ts'
import { bearerTokenAuthExtension } from '../../extensions/bearertokenauth/index.ts'
import { healthCheckExtension } from '../../extensions/health_check/index.ts'
import { topicPipelineExtension } from '../../extensions/topic_pipeline/index.ts'
import manifest from '../../package.json' with { type: 'json' }
import { batchProcessor } from '../../processors/batch/index.ts'
import { ownTelemetryReceiver } from '../../receivers/own_telemetry/index.ts'

/** From sources to drafts in your own voice. */
export const topicPipeline = {
  command: 'topics',
  description: 'From sources to drafts in your own voice',
  version: manifest.version,
  receivers: [ownTelemetryReceiver],
  processors: [batchProcessor],
  exporters: [otlpGrpcExporter, otlpHttpExporter, debugExporter, nopExporter],
  connectors: [],
  extensions: [
    apiExtension,
    topicPipelineExtension,
    healthCheckExtension,
    basicAuthExtension,
    bearerTokenAuthExtension,
  ],
} satisfies Distribution
