import { defineExtension } from '#core/component'
import { apiConfig, apiDependencies, checkApiConfig } from './config.ts'
import { ApiExtension } from './extension.ts'

/** Serves health, readiness, own metrics, the ledger, and the routes that components offer, on one port. */
export const apiExtension = defineExtension({
  type: 'api',
  description: 'Serves health, readiness, own metrics, the ledger, and the routes that components offer, on one port.',
  stability: 'beta',
  config: apiConfig,
  check: checkApiConfig,
  dependencies: apiDependencies,
  create: (config, context) => new ApiExtension(config, context),
})

/** The same under its short name, for programs that import it from its own door. */
export { apiExtension as api }
