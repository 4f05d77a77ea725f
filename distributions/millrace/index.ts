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
import { headersSetterExtension } from '../../extensions/headers_setter/index.ts'
import { healthCheckExtension } from '../../extensions/health_check/index.ts'
import { memoryLimiterExtension } from '../../extensions/memory_limiter/index.ts'
import { oidcExtension } from '../../extensions/oidc/index.ts'
import { pprofExtension } from '../../extensions/pprof/index.ts'
import { topicPipelineExtension } from '../../extensions/topic_pipeline/index.ts'
import { zpagesExtension } from '../../extensions/zpages/index.ts'
import manifest from '../../package.json' with { type: 'json' }
import { agentGatewayProcessor } from '../../processors/agent_gateway/index.ts'
import { attributesProcessor } from '../../processors/attributes/index.ts'
import { batchProcessor } from '../../processors/batch/index.ts'
import { cumulativetodeltaProcessor } from '../../processors/cumulativetodelta/index.ts'
import { memoryLimiterProcessor } from '../../processors/memory_limiter/index.ts'
import { resourceProcessor } from '../../processors/resource/index.ts'
import { semconvDictionaryProcessor } from '../../processors/semconv_dictionary/index.ts'
import { nopReceiver } from '../../receivers/nop/index.ts'
import { otlpReceiver } from '../../receivers/otlp/index.ts'
import { ownTelemetryReceiver } from '../../receivers/own_telemetry/index.ts'

/** Millrace, an OpenTelemetry Collector in TypeScript. */
export const millrace = {
  command: 'millrace',
  description: 'Millrace, an OpenTelemetry Collector in TypeScript',
  version: manifest.version,
  receivers: [otlpReceiver, ownTelemetryReceiver, nopReceiver],
  processors: [
    memoryLimiterProcessor,
    batchProcessor,
    attributesProcessor,
    resourceProcessor,
    cumulativetodeltaProcessor,
    semconvDictionaryProcessor,
    agentGatewayProcessor,
  ],
  exporters: [otlpGrpcExporter, otlpHttpExporter, debugExporter, fileExporter, nopExporter, securityEventExporter],
  connectors: [forwardConnector, agentGatewayDetectionsConnector],
  extensions: [
    apiExtension,
    healthCheckExtension,
    zpagesExtension,
    pprofExtension,
    fileStorageExtension,
    memoryLimiterExtension,
    basicAuthExtension,
    bearerTokenAuthExtension,
    oidcExtension,
    headersSetterExtension,
    topicPipelineExtension,
  ],
} satisfies Distribution
