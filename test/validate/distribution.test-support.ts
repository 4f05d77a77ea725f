import type { Distribution } from '#core/component'
import { forwardConnector } from '../../connectors/forward/index.ts'
import { debugExporter } from '../../exporters/debug/index.ts'
import { nopExporter } from '../../exporters/nop/index.ts'
import { otlpGrpcExporter } from '../../exporters/otlp_grpc/index.ts'
import { otlpHttpExporter } from '../../exporters/otlp_http/index.ts'
import { bearerTokenAuthExtension } from '../../extensions/bearertokenauth/index.ts'
import { fileStorageExtension } from '../../extensions/file_storage/index.ts'
import { healthCheckExtension } from '../../extensions/health_check/index.ts'
import { zpagesExtension } from '../../extensions/zpages/index.ts'
import { attributesProcessor } from '../../processors/attributes/index.ts'
import { batchProcessor } from '../../processors/batch/index.ts'
import { cumulativetodeltaProcessor } from '../../processors/cumulativetodelta/index.ts'
import { memoryLimiterProcessor } from '../../processors/memory_limiter/index.ts'
import { resourceProcessor } from '../../processors/resource/index.ts'
import { nopReceiver } from '../../receivers/nop/index.ts'
import { otlpReceiver } from '../../receivers/otlp/index.ts'

/** Real components, few enough that what is expected does not change with each new one. */
export const few = {
  command: 'millrace',
  description: 'A collector for tests',
  version: '1.2.3',
  receivers: [otlpReceiver, nopReceiver],
  processors: [
    memoryLimiterProcessor,
    batchProcessor,
    attributesProcessor,
    resourceProcessor,
    cumulativetodeltaProcessor,
  ],
  exporters: [otlpGrpcExporter, otlpHttpExporter, debugExporter, nopExporter],
  connectors: [forwardConnector],
  extensions: [healthCheckExtension, zpagesExtension, fileStorageExtension, bearerTokenAuthExtension],
} satisfies Distribution
