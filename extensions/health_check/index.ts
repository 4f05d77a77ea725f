import { defineExtension } from '#core/component'
import { checkHealthCheckConfig, healthCheckConfig, healthCheckDependencies } from './config.ts'
import { HealthCheckExtension } from './extension.ts'

/** Answers an HTTP request with whether the collector is up: for liveness and readiness probes. */
export const healthCheckExtension = defineExtension({
  type: 'health_check',
  description: 'Answers an HTTP request with whether the collector is up: for liveness and readiness probes.',
  stability: 'beta',
  config: healthCheckConfig,
  check: checkHealthCheckConfig,
  dependencies: healthCheckDependencies,
  create: (config, context) => new HealthCheckExtension(config, context),
})

/** The same under its short name, for programs that import it from its own door. */
export { healthCheckExtension as healthCheck }
