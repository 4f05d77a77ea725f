import { defineExtension } from '#core/component'
import { checkPprof, pprofConfig } from './config.ts'
import { PprofExtension } from './extension.ts'

/** Serves CPU and heap profiles of the running process in the format of pprof. */
export const pprofExtension = defineExtension({
  type: 'pprof',
  description: 'Serves CPU and heap profiles of the running process in the format of pprof.',
  stability: 'beta',
  config: pprofConfig,
  check: checkPprof,
  create: (config, context) => new PprofExtension(config, context),
})

/** The same under its short name, for programs that import it from its own door. */
export { pprofExtension as pprof }
