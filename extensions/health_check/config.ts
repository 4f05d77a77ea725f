import { type Static, t } from '#core/config'
import { checkHttpServer, httpServerFields } from '#core/net'

export const healthCheckConfig = t.section({
  ...httpServerFields({ endpoint: 'localhost:13133' }),
  path: t.string({
    default: '/',
    description: 'The path that is answered; `/` stands for every path.',
  }),
  response_body: t.optional(
    t.section(
      {
        healthy: t.string({ default: '', description: 'The body while the collector is healthy.' }),
        unhealthy: t.string({ default: '', description: 'The body while it is not.' }),
      },
      { description: 'Fixed bodies instead of the JSON object.' },
    ),
  ),
  check_collector_pipeline: t.section(
    {
      enabled: t.boolean({ default: false, description: 'Without effect.' }),
      interval: t.duration({ default: '5m', description: 'Without effect.' }),
      exporter_failure_threshold: t.integer({ default: 5, description: 'Without effect.' }),
    },
    { description: 'Accepted, without effect, as in the Collector.' },
  ),
})

export type HealthCheckConfig = Static<typeof healthCheckConfig>

export function* checkHealthCheckConfig(config: HealthCheckConfig): Iterable<string> {
  if (config.endpoint === '') yield 'bad config: endpoint must be specified'
  if (config.check_collector_pipeline.exporter_failure_threshold <= 0) {
    yield 'bad config: exporter_failure_threshold expects a positive number'
  }
  if (!config.path.startsWith('/')) yield 'bad config: path must start with /'
  yield* checkHttpServer(config)
}

/** The extensions that the server asks who may come in. */
export function* healthCheckDependencies(config: HealthCheckConfig): Iterable<string> {
  if (config.auth !== undefined) yield config.auth.authenticator
  for (const { id } of config.middlewares) yield id
}
