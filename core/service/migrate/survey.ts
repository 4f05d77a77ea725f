import type { Definition, Distribution } from '#core/component'
import {
  type ConfigNode,
  check,
  elementOf,
  type Fault,
  joinPath,
  kindOf,
  nearest,
  type Origin,
  optionsOf,
  type Schema,
} from '#core/config'
import { SECTIONS } from '#core/pipeline'
import { COMPONENT_SECTIONS, definitionOf, serviceSchema } from '../diagnostics/written-schema.ts'
import { offerFor } from './substitute.ts'

/** What becomes of one component that a configuration of the Collector holds. */
export interface Surveyed {
  readonly kind: Definition['kind']
  /** As it was written. */
  readonly id: string
  /** `runs` as it is; `changes`: options are not known or refused; `missing`: nothing can run it. */
  readonly state: 'runs' | 'changes' | 'missing'
  readonly path: readonly string[]
  readonly origin?: Origin
  /** The type's name here, when another one was written. */
  readonly renamed?: string
  /** Of a missing one: what comes nearest, `otlp_http exporter`. */
  readonly nearest: readonly string[]
  /** Of a missing one: what to do, as a sentence. */
  readonly advice?: string
  /** Options that are not known here, values that are refused, extensions that are missing. */
  readonly faults: readonly Fault[]
}

/** What a configuration of the Collector needs, held against what a distribution has. */
export interface Survey {
  readonly components: readonly Surveyed[]
  /** What is wrong outside of components: in `service` and at the top level. */
  readonly faults: readonly Fault[]
}

/**
 * Looks at every component of a configuration, however little of it is known. Values that come from references are
 * taken on trust: their sources may be elsewhere.
 * @param root expanded as far as possible
 */
export function surveyOf(distribution: Distribution, root: ConfigNode): Survey {
  const components = Object.entries(SECTIONS).flatMap(([kind, section]) => {
    const node = root.get([section])
    if (node?.kind !== 'map') return []
    return [...node.entries()].map(([id, component]) =>
      survey(kind as Definition['kind'], id, component, node.keyOrigin(id), distribution),
    )
  })
  const missing = new Set(components.filter(one => one.state === 'missing').map(({ path }) => joinPath(path)))
  return { components: components.map(one => withNeeds(one, root, distribution, missing)), faults: outside(root) }
}

function survey(
  kind: Definition['kind'],
  id: string,
  node: ConfigNode,
  origin: Origin | undefined,
  distribution: Distribution,
): Surveyed {
  const path = [SECTIONS[kind], id]
  const place = { kind, id, path, nearest: [], faults: [], ...(origin && { origin }) }
  const definition = definitionOf(distribution, SECTIONS[kind], id)
  const type = id.split('/', 1)[0]!.trim()
  if (definition === undefined) return { ...place, state: 'missing', ...offerFor(kind, type, distribution) }
  const faults = faultsIn(definition, node, path)
  const renamed = type === definition.type ? {} : { renamed: definition.type }
  return { ...place, ...renamed, state: faults.length > 0 ? 'changes' : 'runs', faults }
}

function faultsIn(definition: Definition, node: ConfigNode, path: readonly string[]): Fault[] {
  const checked = check<unknown>(definition.config, node, path)
  return (checked.faults ?? []).filter(fault => !isFromReference(node, fault.path.split('::').slice(path.length)))
}

/** Whether the value at a path, or one that holds it, is what a reference brought or should have brought. */
function isFromReference(node: ConfigNode, path: readonly string[]): boolean {
  return [...path, ''].some((_, length) => {
    const found = node.get(path.slice(0, length)) ?? (length === 0 ? node : undefined)
    if (found === undefined) return false
    const text = found.kind === 'scalar' && typeof found.value === 'string' ? found.value : ''
    return found.origin?.via !== undefined || text.includes('${')
  })
}

/** Adds what it asks of extensions that are missing. */
function withNeeds(
  one: Surveyed,
  root: ConfigNode,
  distribution: Distribution,
  missing: ReadonlySet<string>,
): Surveyed {
  const definition = definitionOf(distribution, SECTIONS[one.kind], one.id)
  const node = root.get(one.path)
  if (definition === undefined || node === undefined) return one
  const faults = [...idsIn(definition.config, node, one.path)].flatMap(([path, id, origin]): Fault[] => {
    if (!missing.has(`extensions::${id}`)) return []
    const message = `needs extension "${id}", which is missing`
    return [{ path: joinPath(path), message, code: 'unknown-component', ...(origin && { origin }) }]
  })
  return faults.length === 0 ? one : { ...one, state: 'changes', faults: [...one.faults, ...faults] }
}

type Mention = readonly [path: readonly string[], id: string, origin: Origin | undefined]

/** The options of a component that name another one. */
function* idsIn(schema: Schema<unknown>, node: ConfigNode, path: readonly string[]): Iterable<Mention> {
  const kind = kindOf(schema)
  if (schema.format === 'component-id' && node.kind === 'scalar') yield [path, String(node.value), node.origin]
  if (kind !== 'section' && kind !== 'list' && kind !== 'map') return
  for (const [key, child] of node.entries()) {
    const below = kind === 'section' ? optionsOf(schema)[key] : elementOf(schema)
    if (below !== undefined) yield* idsIn(below, child, [...path, key])
  }
}

/** Faults of the top level and of `service`. */
function outside(root: ConfigNode): Fault[] {
  const sections = [...COMPONENT_SECTIONS, 'service']
  const faults: Fault[] = []
  for (const [key, node] of root.entries()) {
    const origin = root.kind === 'map' ? root.keyOrigin(key) : undefined
    if (!sections.includes(key)) {
      const suggestion = nearest(key, sections)
      const message = `the configuration has invalid keys: ${key}`
      faults.push({
        path: '',
        message,
        code: 'unknown-key',
        ...(origin && { origin }),
        ...(suggestion && { suggestion }),
      })
    } else if (key !== 'service' && node.kind !== 'map' && node.kind !== 'null') {
      faults.push({ path: key, message: 'is not a map of components', code: 'wrong-type', ...(origin && { origin }) })
    }
  }
  const service = root.get(['service'])
  const checked = check<unknown>(serviceSchema, service, ['service'])
  const kept = (checked.faults ?? []).filter(
    fault => !service || !isFromReference(service, fault.path.split('::').slice(1)),
  )
  return [...faults, ...kept]
}
