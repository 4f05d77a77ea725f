import type { Definition, Distribution } from '#core/component'
import type { Components } from './config-of.ts'

/**
 * The distribution that a list of components makes.
 * @throws {Error} when two of them have the same kind and name
 */
export function distributionOf(components: Components, name: string, version: string): Distribution {
  if (isDistribution(components)) return components
  const seen = new Set<string>()
  for (const { kind, type, aliases = [] } of components) {
    for (const each of [type, ...aliases]) {
      if (seen.has(`${kind} ${each}`)) throw new Error(`Cannot compose two ${kind}s named "${each}"`)
      seen.add(`${kind} ${each}`)
    }
  }
  const of = <K extends Definition['kind']>(kind: K) =>
    components.filter((each): each is Extract<Definition, { kind: K }> => each.kind === kind)
  return {
    command: name,
    description: `${name}, made with Millrace`,
    version,
    receivers: of('receiver'),
    processors: of('processor'),
    exporters: of('exporter'),
    connectors: of('connector'),
    extensions: of('extension'),
  }
}

function isDistribution(components: Components): components is Distribution {
  return !Array.isArray(components)
}
