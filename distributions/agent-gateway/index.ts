// Written from builder.yaml by `npm run distributions`. Changes belong there.
import type { Distribution } from '#core/component'
import { agentGatewayDetectionsConnector } from '../../connectors/agent_gateway_detections/index.ts'
import { forwardConnector } from '../../connectors/forward/index.ts'
import { debugExporter } from '../../exporters/debug/index.ts'
import { fileExporter } from '../../exporters/file/index.ts'
import { nopExporter } from '../../exporters/nop/index.ts'
import { otlpGrpcExporter } from '../../exporters/otlp_grpc/index.ts'
import { otlpHttpExporter } from '../../exporters/otlp_http/index.ts'
import { securityEventExporter } from '../../exporters/security_event/index.ts'
import { apiExtension } from '../../extensions/api/index.ts'
import { basicAuthExtension } from '../../extensions/basicauth/index.ts'
import { bearerTokenAuthExtension } from '../../extensions/bearertokenauth/index.ts'
import { fileStorageExtension } from '../../extensions/file_storage/index.ts'
import { healthCheckExtension } from '../../extensions/health_check/index.ts'
import { memoryLimiterExtension } from '../../extensions/memory_limiter/index.ts'
import manifest from '../../package.json' with { type: 'json' }
import { agentGatewayProcessor } from '../../processors/agent_gateway/index.ts'
import { attributesProcessor } from '../../processors/attributes/index.ts'
import { batchProcessor } from '../../processors/batch/index.ts'
import { cumulativetodeltaProcessor } from '../../processors/cumulativetodelta/index.ts'
import { memoryLimiterProcessor } from '../../processors/memory_limiter/index.ts'
import { resourceProcessor } from '../../processors/resource/index.ts'
import { otlpReceiver } from '../../receivers/otlp/index.ts'

/** Takes in the telemetry of an AI agent gateway, makes it whole and sends it on. */
export const agentGateway = {
  command: 'agent-gateway',
  description: 'Takes in the telemetry of an AI agent gateway, makes it whole and sends it on',
  version: manifest.version,
  receivers: [otlpReceiver],
  processors: [
    memoryLimiterProcessor,
    agentGatewayProcessor,
    cumulativetodeltaProcessor,
    batchProcessor,
    attributesProcessor,
    resourceProcessor,
  ],
  exporters: [otlpHttpExporter, otlpGrpcExporter, securityEventExporter, debugExporter, fileExporter, nopExporter],
  connectors: [agentGatewayDetectionsConnector, forwardConnector],
  extensions: [
    apiExtension,
    healthCheckExtension,
    fileStorageExtension,
    memoryLimiterExtension,
    basicAuthExtension,
    bearerTokenAuthExtension,
  ],
} satisfies Distribution
