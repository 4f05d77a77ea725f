import type { Definition, Distribution } from '#core/component'
import { t } from '#core/config'
import { SECTIONS } from '#core/pipeline'
import { telemetrySchema } from '../telemetry/schema.ts'

/** The sections of components, in the order in which they are printed. */
export const COMPONENT_SECTIONS = Object.values(SECTIONS)
export type ComponentSection = (typeof COMPONENT_SECTIONS)[number]

const ids = t.list(t.string({ description: 'An id.' }), { default: [], description: 'Ids of components.' })
const pipeline = t.section({ receivers: ids, processors: ids, exporters: ids })
const modules = t.list(t.string({ description: 'A path or a package.' }), { description: 'Components from outside.' })

/** The `service` section as it is written. */
export const serviceSchema = t.section({
  components: t.optional(modules),
  telemetry: telemetrySchema,
  extensions: ids,
  pipelines: t.map(pipeline, { default: {}, description: 'Pipelines by id.' }),
})

/** The definition behind an id, by type or alias. Undefined for types that the distribution does not know. */
export function definitionOf(
  distribution: Distribution,
  section: ComponentSection,
  id: string,
): Definition | undefined {
  const type = id.split('/', 1)[0]!.trim()
  const definitions: readonly Definition[] = distribution[section]
  return definitions.find(one => one.type === type || one.aliases?.includes(type))
}
