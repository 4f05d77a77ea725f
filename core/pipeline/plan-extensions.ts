import { ComponentId, type ExtensionDefinition, errorPlace, InvalidId } from '#core/component'
import type { Fault } from '#core/config'
import type { Configuration, Configured } from './configuration.ts'
import type { ExtensionNode } from './planned.ts'

/**
 * The enabled extensions in start order: each after those it depends on, otherwise in the order written.
 * Dependencies that are not enabled, and cycles, are faults in the Collector's words.
 */
export function planExtensions(configuration: Configuration, faults: Fault[]): ExtensionNode[] {
  const enabled = new Map(configuration.enabled.map(reference => [reference.id, reference]))
  const ordered = new Map<string, ExtensionNode>()
  const faulty = (id: string, message: string) => {
    const origin = enabled.get(id)?.origin
    faults.push({ path: 'service::extensions', message, code: 'extension-order', ...(origin && { origin }) })
  }

  const visit = (id: string, path: readonly string[]): void => {
    if (ordered.has(id)) return
    if (path.includes(id)) {
      const cycle = [...path.slice(path.indexOf(id)), id].join(' -> ')
      faulty(id, `unable to order extensions by dependencies, cycle found [${cycle}]`)
      return
    }
    const configured = configuration.extensions.get(id)!
    for (const text of dependenciesOf(configured, message => faulty(id, message))) {
      const dependency = normalize(text)
      if (enabled.has(dependency)) visit(dependency, [...path, id])
      else faulty(id, `unable to find extension ${dependency} on which extension ${id} depends`)
    }
    ordered.set(id, { kind: 'extension', key: `extension:${id}`, configured, signals: [], pipelines: [] })
  }
  for (const id of enabled.keys()) visit(id, [])
  return [...ordered.values()]
}

/** A component from a file or package that cannot tell is a fault, with its place. */
function dependenciesOf(
  { definition, config }: Configured<ExtensionDefinition>,
  faulty: (message: string) => void,
): readonly string[] {
  try {
    return [...(definition.dependencies?.(config) ?? [])]
  } catch (error) {
    if (definition.source === undefined) throw error
    const place = errorPlace(error, definition.source)
    const why = error instanceof Error ? error.message : String(error)
    faulty(`cannot tell its dependencies: ${why}${place === undefined ? '' : `, at ${place}`}`)
    return []
  }
}

/** An id that does not follow the grammar is shown as it is: nothing can be enabled under it. */
function normalize(text: string): string {
  try {
    return ComponentId.parse(text).toString()
  } catch (error) {
    if (error instanceof InvalidId) return text
    throw error
  }
}
