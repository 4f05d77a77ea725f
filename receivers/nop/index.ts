import { type Component, defineReceiver } from '#core/component'
import { t } from '#core/config'

/** Receives nothing: for pipelines that must exist but need no input. */
export const nopReceiver = defineReceiver({
  type: 'nop',
  description: 'Receives nothing: for pipelines that must exist but need no input.',
  stability: { traces: 'beta', metrics: 'beta', logs: 'beta', profiles: 'alpha' },
  config: t.section({}),
  create: (): Component => ({}),
})

/** The same under its short name, for programs that import it from its own door. */
export { nopReceiver as nop }
