import { defineProcessor } from '#core/component'
import { checkMemoryLimiter, memoryLimiterConfig } from '#core/memory'
import { createMemoryLimiter } from './processor.ts'

/** Refuses telemetry, in a way that senders repeat it, while the process uses too much memory. */
export const memoryLimiterProcessor = defineProcessor({
  type: 'memory_limiter',
  description: 'Refuses telemetry, in a way that senders repeat it, while the process uses too much memory.',
  stability: { traces: 'beta', metrics: 'beta', logs: 'beta', profiles: 'development' },
  order: 'first',
  config: memoryLimiterConfig,
  check: checkMemoryLimiter,
  create: createMemoryLimiter,
})

/** The same under its short name, for programs that import it from its own door. */
export { memoryLimiterProcessor as memoryLimiter }
