import { defineProcessor } from '#core/component'
import { attributesConfig, checkAttributesConfig } from './config.ts'
import { AttributesProcessor } from './processor.ts'

/** Adds, changes and removes attributes of spans, log records and data points. */
export const attributesProcessor = defineProcessor({
  type: 'attributes',
  description: 'Adds, changes and removes attributes of spans, log records and data points.',
  stability: { traces: 'beta', metrics: 'beta', logs: 'beta' },
  config: attributesConfig,
  check: checkAttributesConfig,
  create: (config, signal, _next, context) => new AttributesProcessor(config, signal, context),
})

/** The same under its short name, for programs that import it from its own door. */
export { attributesProcessor as attributes }
