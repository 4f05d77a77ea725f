import { ComponentId, InvalidId } from '#core/component'
import { type ConfigNode, check, type Schema, t } from '#core/config'
import type { PipelineConfiguration, Reference } from './configuration.ts'
import type { Findings } from './findings.ts'
import { PipelineId } from './pipeline-id.ts'

/** How `service::telemetry` is decoded; the pipeline room itself has no use for it. */
export interface TelemetrySection<T> {
  readonly schema: Schema<T>
  /** As `check` of a component's definition. */
  check?(config: T): Iterable<string>
}

export interface DecodedService<T> {
  readonly enabled: readonly Reference[]
  readonly pipelines: ReadonlyMap<string, PipelineConfiguration>
  /** `undefined` when it has faults. */
  readonly telemetry: T | undefined
}

const ids = t.list(t.string({ description: 'The id of a component, `type[/name]`.' }), {
  default: [],
  description: 'Ids of components.',
})

/** One entry of `service::pipelines`. */
const pipelineSchema = t.section({ receivers: ids, processors: ids, exporters: ids })

const anything = t.optional(t.any({ description: 'Held against a schema of its own.' }))
const outline = t.section({ telemetry: anything, extensions: anything, pipelines: anything, components: anything })

/** Decodes the `service` section: shapes, ids and telemetry. Whether what is mentioned exists is looked at later. */
export function decodeService<T>(
  root: ConfigNode,
  telemetry: TelemetrySection<T>,
  findings: Findings,
): DecodedService<T> {
  const path = ['service']
  findings.take(check(outline, root.get(path), path))
  return {
    telemetry: decodeTelemetry(root, telemetry, findings),
    enabled: references(
      take(ids, root, [...path, 'extensions'], findings) ?? [],
      [...path, 'extensions'],
      root,
      findings,
    ),
    pipelines: decodePipelines(root, findings),
  }
}

/** The value at `path`, `undefined` when it has faults. */
function take<T>(schema: Schema<T>, root: ConfigNode, path: readonly string[], findings: Findings): T | undefined {
  const checked = check(schema, root.get(path), path)
  findings.take(checked)
  return checked.value
}

function decodeTelemetry<T>(root: ConfigNode, section: TelemetrySection<T>, findings: Findings): T | undefined {
  const path = ['service', 'telemetry']
  const value = take(section.schema, root, path, findings)
  const node = root.get(path) ?? root
  if (value !== undefined) for (const fault of section.check?.(value) ?? []) findings.complain(path, fault, node)
  return value
}

function decodePipelines(root: ConfigNode, findings: Findings): Map<string, PipelineConfiguration> {
  const pipelines = new Map<string, PipelineConfiguration>()
  const parent = ['service', 'pipelines']
  const section = root.get(parent)
  if (section?.kind !== 'map') {
    take(t.optional(t.map(pipelineSchema, { description: 'Pipelines by id.' })), root, parent, findings)
    return pipelines
  }
  for (const key of section.keys) {
    const path = [...parent, key]
    const lists = take(pipelineSchema, root, path, findings)
    const origin = section.keyOrigin(key)
    try {
      const id = PipelineId.parse(key)
      if (pipelines.has(id.toString())) throw new InvalidId(`duplicate name "${key}" after unmarshaling ${id}`)
      if (lists === undefined) continue
      const read = (place: 'receivers' | 'processors' | 'exporters') =>
        references(lists[place], [...path, place], root, findings)
      const [receivers, processors, exporters] = [read('receivers'), read('processors'), read('exporters')]
      pipelines.set(id.toString(), { id, origin, receivers, processors, exporters })
    } catch (error) {
      if (!(error instanceof InvalidId)) throw error
      findings.add(parent, error.message, origin, {
        code: error.message.startsWith('duplicate') ? 'duplicate-id' : 'invalid-id',
      })
    }
  }
  return pipelines
}

function references(
  texts: readonly string[],
  path: readonly string[],
  root: ConfigNode,
  findings: Findings,
): Reference[] {
  return texts.flatMap((text, index) => {
    const origin = root.originAt([...path, String(index)])
    try {
      return [{ id: ComponentId.parse(text).toString(), origin }]
    } catch (error) {
      if (!(error instanceof InvalidId)) throw error
      findings.add([...path, String(index)], error.message, origin, { code: 'invalid-id' })
      return []
    }
  })
}
