import { ComponentId, type Definition, errorPlace, InvalidId } from '#core/component'
import { type ConfigNode, check, NullNode, nearest, type Origin, sentences, toPlain } from '#core/config'
import { type Configured, SECTIONS } from './configuration.ts'
import type { Findings } from './findings.ts'

/** What one section holds: the components that could be decoded, and every id that was written properly. */
export interface DecodedSection<D extends Definition> {
  readonly components: ReadonlyMap<string, Configured<D>>
  /** Also ids whose component has faults, so that a mention of them is not one more. */
  readonly mentionable: ReadonlySet<string>
}

/** What can be done about a type that is not known, as a sentence. Undefined when nothing is known of it at all. */
export type AdviceOn = (kind: Definition['kind'], type: string) => string | undefined

/** Decodes one of the five sections of components with the definitions of its kind. */
export function decodeComponents<D extends Definition>(
  kind: D['kind'],
  definitions: readonly D[],
  root: ConfigNode,
  findings: Findings,
  adviceOn: AdviceOn = () => undefined,
): DecodedSection<D> {
  const section = SECTIONS[kind]
  const components = new Map<string, Configured<D>>()
  const mentionable = new Set<string>()
  const node = root.get([section]) ?? new NullNode()
  if (node.kind !== 'map') {
    if (node.kind !== 'null')
      findings.add([section], sentences.notASection(toPlain(node)), node.origin, { code: 'wrong-type' })
    return { components, mentionable }
  }
  for (const [key, component] of node.entries()) {
    const path = [section, key]
    const origin = node.keyOrigin(key)
    const id = parseId(key)
    if (id instanceof InvalidId) {
      findings.add([section], id.message, origin, { code: 'invalid-id' })
    } else if (mentionable.has(id.toString())) {
      findings.add([section], `duplicate name "${key}" after unmarshaling ${id}`, origin, { code: 'duplicate-id' })
    } else {
      mentionable.add(id.toString())
      const definition = find(kind, id, definitions, origin, findings, adviceOn)
      if (definition === undefined) continue
      const config = decode(definition, component, path, findings)
      if (config !== undefined) components.set(id.toString(), { id, definition, config: config.value, origin })
    }
  }
  return { components, mentionable }
}

function parseId(text: string): ComponentId | InvalidId {
  try {
    return ComponentId.parse(text)
  } catch (error) {
    if (error instanceof InvalidId) return error
    throw error
  }
}

function find<D extends Definition>(
  kind: D['kind'],
  id: ComponentId,
  definitions: readonly D[],
  origin: Origin | undefined,
  findings: Findings,
  adviceOn: AdviceOn,
): D | undefined {
  const path = [SECTIONS[kind], id.toString()]
  const definition = definitions.find(one => one.type === id.type || one.aliases?.includes(id.type))
  if (definition !== undefined) {
    if (definition.type !== id.type) {
      findings.warn(path, `"${id.type}" alias is deprecated; use "${definition.type}" instead`, origin, 'deprecated')
    }
    return definition
  }
  if (kind === 'exporter' && id.type === 'logging') {
    const message = 'the logging exporter has been deprecated, use the debug exporter instead'
    findings.add([SECTIONS[kind]], message, origin, { code: 'unknown-component' })
    return undefined
  }
  if (!findings.complete) return undefined
  const types = definitions.map(one => one.type).toSorted()
  const message = `unknown type: "${id.type}" for id: "${id}" (valid values: [${types.join(' ')}])`
  const all = definitions.flatMap(one => [one.type, ...(one.aliases ?? [])])
  const hint = adviceOn(kind, id.type)
  const suggestion = hint === undefined ? nearest(id.type, all) : undefined
  findings.add([SECTIONS[kind]], message, origin, { code: 'unknown-component', suggestion, hint })
  return undefined
}

/** `undefined` when there are faults. */
function decode(
  definition: Definition,
  node: ConfigNode,
  path: readonly string[],
  findings: Findings,
): { readonly value: unknown } | undefined {
  const checked = check<unknown>(definition.config, node, path)
  findings.take(checked)
  if (checked.faults !== undefined) return undefined
  try {
    const faults = [...(definition.check?.(checked.value) ?? [])]
    for (const fault of faults) findings.complain(path, fault, node)
    return faults.length > 0 ? undefined : { value: checked.value }
  } catch (error) {
    if (definition.source === undefined) throw error
    const place = errorPlace(error, definition.source)
    const why = error instanceof Error ? error.message : String(error)
    findings.object(path, `cannot be checked: ${why}${place === undefined ? '' : `, at ${place}`}`, node.origin)
    return undefined
  }
}
