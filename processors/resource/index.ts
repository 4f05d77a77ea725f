import { defineProcessor } from '#core/component'
import { checkResourceConfig, resourceConfig } from './config.ts'
import { ResourceProcessor } from './processor.ts'

/** Adds, changes and removes attributes of resources. */
export const resourceProcessor = defineProcessor({
  type: 'resource',
  description: 'Adds, changes and removes attributes of resources.',
  stability: { traces: 'beta', metrics: 'beta', logs: 'beta', profiles: 'development' },
  config: resourceConfig,
  check: checkResourceConfig,
  create: (config, _signal, _next, context) => new ResourceProcessor(config, context),
})

/** The same under its short name, for programs that import it from its own door. */
export { resourceProcessor as resource }
