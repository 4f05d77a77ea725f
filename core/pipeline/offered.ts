import { type Component, type Route, type RouteAnswer, RouteError, type RouteRequest } from '#core/component'
import { type Guard, nameOf } from './guard.ts'

/** What a component offers beside its place in a pipeline. */
export type Offered = Pick<Component, 'routes' | 'readiness'>

/** Routes are known by identity, so that instances which share one offer it once. */
const guarded = new WeakMap<Route, Route>()

/**
 * What a component offers, its routes under guard when it comes from a file or package: what they throw is told with its
 * place, and one that does not answer is answered for.
 */
export function offeredBy(component: Component, guard: Guard): Offered {
  if (!guard.timed) return component
  return {
    get routes() {
      return (component.routes ?? []).map(route => under(guard, route))
    },
    get readiness() {
      return component.readiness ?? []
    },
  }
}

function under(guard: Guard, route: Route): Route {
  let known = guarded.get(route)
  if (known === undefined) {
    known = { ...route, handle: request => handle(guard, route, request) }
    guarded.set(route, known)
  }
  return known
}

/** @throws {RouteError} what the route means to answer */
async function handle(guard: Guard, route: Route, request: RouteRequest): Promise<RouteAnswer> {
  try {
    const answer = await guard.answered(Promise.resolve(route.handle(request)))
    if (typeof answer !== 'object' || answer === null) {
      throw new TypeError(
        `the route ${route.path} answered ${nameOf(answer)}, not an object with status, headers or body`,
      )
    }
    return answer
  } catch (error) {
    if (error instanceof RouteError) throw error
    guard.failed(error)
    throw error instanceof Error ? error : new Error(String(error))
  }
}
