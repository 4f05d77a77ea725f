import { defineConnector } from '#core/component'
import { t } from '#core/config'
import { ForwardConnector } from './connector.ts'

/** Hands what one pipeline exports to the pipelines that receive from it. */
export const forwardConnector = defineConnector({
  type: 'forward',
  description: 'Hands what one pipeline exports to the pipelines that receive from it.',
  stability: {
    traces: { traces: 'beta' },
    metrics: { metrics: 'beta' },
    logs: { logs: 'beta' },
    profiles: { profiles: 'alpha' },
  },
  config: t.section({}),
  create: (_config, _from, _to, next) => new ForwardConnector(next),
})

/** The same under its short name, for programs that import it from its own door. */
export { forwardConnector as forward }
