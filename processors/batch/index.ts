import { defineProcessor } from '#core/component'
import { batchConfig, checkBatchConfig } from './config.ts'
import { BatchProcessor } from './processor.ts'

/** Groups telemetry so that fewer, larger and better compressed requests leave the process. */
export const batchProcessor = defineProcessor({
  type: 'batch',
  description: 'Groups telemetry so that fewer, larger and better compressed requests leave the process.',
  stability: { traces: 'beta', metrics: 'beta', logs: 'beta' },
  order: 'batches',
  config: batchConfig,
  check: checkBatchConfig,
  create: (config, _signal, next, context) => new BatchProcessor(config, next, context),
})

/** The same under its short name, for programs that import it from its own door. */
export { batchProcessor as batch }
