import { defineProcessor } from '#core/component'
import { checkCumulativeToDelta, cumulativeToDeltaConfig } from './config.ts'
import { CumulativeToDeltaProcessor } from './processor.ts'

/** Converts sums and histograms from cumulative to delta temporality, for backends that take only delta. */
export const cumulativetodeltaProcessor = defineProcessor({
  type: 'cumulativetodelta',
  aliases: ['cumulative_to_delta'],
  description: 'Converts sums and histograms from cumulative to delta temporality, for backends that take only delta.',
  stability: { metrics: 'beta' },
  config: cumulativeToDeltaConfig,
  check: checkCumulativeToDelta,
  create: (config, _signal, next, context) => new CumulativeToDeltaProcessor(config, next, context),
})

/** The same under its short name, for programs that import it from its own door. */
export { cumulativetodeltaProcessor as cumulativetodelta }
