import { type Static, t } from '#core/config'
import { checkHttpServer, httpServerFields } from '#core/net'

export const apiConfig = t.section(httpServerFields({ endpoint: 'localhost:8080' }))

export type ApiConfig = Static<typeof apiConfig>

export function* checkApiConfig(config: ApiConfig): Iterable<string> {
  if (config.endpoint === '') yield 'endpoint must be specified'
  yield* checkHttpServer(config)
}

/** The extensions that the server asks who may come in. */
export function* apiDependencies(config: ApiConfig): Iterable<string> {
  if (config.auth !== undefined) yield config.auth.authenticator
  for (const { id } of config.middlewares) yield id
}
