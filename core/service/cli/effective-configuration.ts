import { ComponentId, type Distribution } from '#core/component'
import {
  ConfigError,
  type ConfigNode,
  check,
  type Fault,
  type Resolved,
  type Schema,
  type WrittenFormOptions,
  writtenForm,
} from '#core/config'
import {
  COMPONENT_SECTIONS,
  type ComponentSection,
  definitionOf,
  serviceSchema,
} from '../diagnostics/written-schema.ts'

/**
 * A configuration as its components receive it, defaults included, in the form that users write. Whether it makes
 * sense as a whole is not looked at.
 * @throws {ConfigError} of stage `decode` with every option that cannot be read
 */
export function effectiveConfiguration(
  distribution: Distribution,
  { root }: Resolved,
  options: WrittenFormOptions,
): Record<string, unknown> {
  const faults: Fault[] = []
  const read = (schema: Schema<unknown>, path: readonly string[]): unknown => {
    const checked = check(schema, root.get(path), path)
    faults.push(...(checked.faults ?? []))
    return checked.faults === undefined ? writtenForm(schema, checked.value, options) : undefined
  }
  const effective: Record<string, unknown> = {}
  for (const section of COMPONENT_SECTIONS) {
    const node = root.get([section])
    if (node === undefined) continue
    const components = node.keys.map(key => [key, schemaOf(distribution, section, key, node, faults)] as const)
    effective[section] = Object.fromEntries(
      components.map(([key, schema]) => [key, schema && read(schema, [section, key])]),
    )
  }
  effective.service = read(serviceSchema, ['service'])
  if (faults.length > 0) throw new ConfigError(faults, { stage: 'decode' })
  return effective
}

function schemaOf(
  distribution: Distribution,
  section: ComponentSection,
  key: string,
  node: ConfigNode,
  faults: Fault[],
): Schema<unknown> | undefined {
  const found = definitionOf(distribution, section, key)
  if (found !== undefined) return found.config
  const { type } = ComponentId.parse(key)
  const origin = node.originAt([key])
  faults.push({ path: section, message: `unknown type: "${type}" for id: "${key}"`, ...(origin && { origin }) })
  return undefined
}
