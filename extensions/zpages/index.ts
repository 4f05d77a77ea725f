import { defineExtension } from '#core/component'
import { checkZpages, zpagesConfig, zpagesDependencies } from './config.ts'
import { ZpagesExtension } from './extension.ts'

/** Serves pages that show the running collector: its pipelines, extensions, feature gates and own spans. */
export const zpagesExtension = defineExtension({
  type: 'zpages',
  description: 'Serves pages that show the running collector: its pipelines, extensions, feature gates and own spans.',
  stability: 'beta',
  config: zpagesConfig,
  check: checkZpages,
  dependencies: zpagesDependencies,
  create: (config, context) => new ZpagesExtension(config, context),
})

/** The same under its short name, for programs that import it from its own door. */
export { zpagesExtension as zpages }
