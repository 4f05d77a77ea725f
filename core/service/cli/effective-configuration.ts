import { ComponentId, type Definition, type Distribution } from '#core/component'
import {
  ConfigError,
  type ConfigNode,
  check,
  type Fault,
  type Resolved,
  type Schema,
  t,
  type WrittenFormOptions,
  writtenForm,
} from '#core/config'
import { telemetrySchema } from '../telemetry/schema.ts'

const ids = t.list(t.string({ description: 'An id.' }), { default: [], description: 'Ids of components.' })
const pipeline = t.section({ receivers: ids, processors: ids, exporters: ids })
const modules = t.list(t.string({ description: 'A path or a package.' }), { description: 'Components from outside.' })
const service = t.section({
  components: t.optional(modules),
  telemetry: telemetrySchema,
  extensions: ids,
  pipelines: t.map(pipeline, { default: {}, description: 'Pipelines by id.' }),
})

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
  for (const section of SECTIONS) {
    const node = root.get([section])
    if (node === undefined) continue
    const components = node.keys.map(key => [key, schemaOf(distribution[section], key, node, section, faults)] as const)
    effective[section] = Object.fromEntries(
      components.map(([key, schema]) => [key, schema && read(schema, [section, key])]),
    )
  }
  effective.service = read(service, ['service'])
  if (faults.length > 0) throw new ConfigError(faults, { stage: 'decode' })
  return effective
}

const SECTIONS = ['receivers', 'processors', 'exporters', 'connectors', 'extensions'] as const

function schemaOf(
  definitions: readonly Definition[],
  key: string,
  node: ConfigNode,
  section: string,
  faults: Fault[],
): Schema<unknown> | undefined {
  const { type } = ComponentId.parse(key)
  const found = definitions.find(one => one.type === type || one.aliases?.includes(type))
  if (found !== undefined) return found.config
  const origin = node.originAt([key])
  faults.push({ path: section, message: `unknown type: "${type}" for id: "${key}"`, ...(origin && { origin }) })
  return undefined
}
