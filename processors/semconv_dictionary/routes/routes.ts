import type { Route } from '#core/component'
import { cardinalityRoute } from './cardinality-route.ts'
import { dictionaryRoutes } from './dictionary-routes.ts'
import { exportRoute } from './export-route.ts'
import { probeRoutes } from './probe-routes.ts'
import { snapshotRoutes } from './snapshot-routes.ts'
import type { View } from './view.ts'

/** Everything a dictionary offers on the `api` extension. */
export function routesOf(view: View): readonly Route[] {
  const routes = [...dictionaryRoutes(view), cardinalityRoute(view), exportRoute(view), ...snapshotRoutes(view)]
  return [...routes, ...(view.config.probes ? probeRoutes(view) : [])].map(route => logged(route, view))
}

/** A route that tells at debug what was asked and how long the answer took. */
function logged(route: Route, { logger, clock }: View): Route {
  return {
    ...route,
    async handle(request) {
      if (!logger.enabled('debug')) return route.handle(request)
      const begun = clock.monotonic()
      const about = { method: route.method, path: route.path, query: request.query }
      try {
        const answer = await route.handle(request)
        logger.debug('API request', { ...about, status: answer.status ?? 200, ms: clock.monotonic() - begun })
        return answer
      } catch (error) {
        logger.debug('API request', { ...about, error, ms: clock.monotonic() - begun })
        throw error
      }
    },
  }
}
