import { defineExporter } from '#core/component'
import { t } from '#core/config'
import { NopExporter } from './exporter.ts'

/** Takes everything and forgets it. */
export const nopExporter = defineExporter({
  type: 'nop',
  description: 'Takes everything and forgets it.',
  stability: { traces: 'beta', metrics: 'beta', logs: 'beta', profiles: 'alpha' },
  config: t.section({}),
  create: (_config, context) => new NopExporter(context),
})

/** The same under its short name, for programs that import it from its own door. */
export { nopExporter as nop }
