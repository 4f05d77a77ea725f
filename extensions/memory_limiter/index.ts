import { defineExtension } from '#core/component'
import { checkMemoryLimiter, memoryLimiterConfig } from '#core/memory'
import { MemoryLimiterExtension } from './extension.ts'

/** Lets servers refuse requests before they read them while the process uses too much memory. */
export const memoryLimiterExtension = defineExtension({
  type: 'memory_limiter',
  description: 'Lets servers refuse requests before they read them while the process uses too much memory.',
  stability: 'beta',
  config: memoryLimiterConfig,
  check: checkMemoryLimiter,
  create: (config, context) => new MemoryLimiterExtension(config, context),
})

/** The same under its short name, for programs that import it from its own door. */
export { memoryLimiterExtension as memoryLimiter }
