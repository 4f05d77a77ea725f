import type { Route } from '#core/component'

/** The methods that some route serves at a path as requested; HEAD goes with GET. */
export function methodsOf(routes: readonly Route[], path: string): string[] {
  const matching = routes.filter(route => matches(route.path, path)).map(({ method }) => method)
  const methods = new Set<string>(matching)
  if (methods.has('GET')) methods.add('HEAD')
  return [...methods].sort()
}

/** `/a/:b` as OpenAPI writes it: `/a/{b}`. */
export function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

/** The names of the parameters in a path. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(match => match[1]!)
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  return wanted.length === given.length && wanted.every((part, i) => part.startsWith(':') || part === given[i])
}
