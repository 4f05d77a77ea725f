// Written from builder.yaml by `npm run distributions`. Changes belong there.
import type { Distribution } from '#core/component'
import { otlpGrpcExporter } from '../../exporters/otlp_grpc/index.ts'
import { otlpHttpExporter } from '../../exporters/otlp_http/index.ts'
import { apiExtension } from '../../extensions/api/index.ts'
import { fileStorageExtension } from '../../extensions/file_storage/index.ts'
import manifest from '../../package.json' with { type: 'json' }
import { semconvDictionaryProcessor } from '../../processors/semconv_dictionary/index.ts'
import { otlpReceiver } from '../../receivers/otlp/index.ts'

/** Forwards OTLP to a backend and learns every attribute and metric name on the way. */
export const semconvProxy = {
  command: 'semconv-proxy',
  description: 'Forwards OTLP to a backend and learns every attribute and metric name on the way',
  version: manifest.version,
  receivers: [otlpReceiver],
  processors: [semconvDictionaryProcessor],
  exporters: [otlpGrpcExporter, otlpHttpExporter],
  connectors: [],
  extensions: [apiExtension, fileStorageExtension],
} satisfies Distribution
