import { defineExtension } from '#core/component'
import { checkHeadersSetter, headersSetterConfig, headersSetterDependencies } from './config.ts'
import { HeadersSetter } from './extension.ts'

/** Headers of exporters' requests, from the configuration, a file, or whoever sent the data. */
export const headersSetterExtension = defineExtension({
  type: 'headers_setter',
  description: 'Sets headers of requests to destinations, also from the request that brought the data.',
  stability: 'alpha',
  config: headersSetterConfig,
  check: checkHeadersSetter,
  dependencies: headersSetterDependencies,
  create: (config, context) => new HeadersSetter(config, context),
})

/** The same under its short name, for programs that import it from its own door. */
export { headersSetterExtension as headersSetter }
