import { type Static, t } from '#core/config'
import { checkHttpServer, httpServerFields } from '#core/net'

/** The options of the `zpages` extension. */
export const zpagesConfig = t.section({
  ...httpServerFields({ endpoint: 'localhost:55679' }),
  expvar: t.section(
    { enabled: t.boolean({ default: false, description: 'Serves figures of the process at `/debug/expvarz`.' }) },
    { description: 'Figures of the process as JSON.' },
  ),
})

export type ZpagesConfig = Static<typeof zpagesConfig>

/** Faults of a whole configuration, in the Collector's words. */
export function* checkZpages(config: ZpagesConfig): Iterable<string> {
  if (config.endpoint === '') yield '"endpoint" is required when using the "zpages" extension'
  yield* checkHttpServer(config)
}

/** The extensions that the server asks who may come in. */
export function* zpagesDependencies(config: ZpagesConfig): Iterable<string> {
  if (config.auth !== undefined) yield config.auth.authenticator
  for (const { id } of config.middlewares) yield id
}
