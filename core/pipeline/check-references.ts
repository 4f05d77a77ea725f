import { type ConfigNode, nearest, type Origin } from '#core/config'
import type { PipelineConfiguration, Reference } from './configuration.ts'
import type { Findings } from './findings.ts'

/** Ids that were written in each section, whether or not their components are free of faults. */
export interface Written {
  readonly receivers: ReadonlySet<string>
  readonly processors: ReadonlySet<string>
  readonly exporters: ReadonlySet<string>
  readonly connectors: ReadonlySet<string>
  readonly extensions: ReadonlySet<string>
}

/** Gates of the Collector that change what is asked of a configuration. */
const ALLOW_NO_PIPELINES = 'service.AllowNoPipelines'
const PROFILES_SUPPORT = 'service.profilesSupport'

/** Whether everything that is mentioned exists and everything that must be there is (the Collector's `Config.Validate`). */
export function checkReferences(
  root: ConfigNode,
  written: Written,
  enabled: readonly Reference[],
  pipelines: ReadonlyMap<string, PipelineConfiguration>,
  gates: ReadonlySet<string>,
  findings: Findings,
): void {
  // What a section of the wrong shape was meant to hold, nobody knows: that it is missing is not one more fault.
  const whole = sectionsOf(written).filter(section => isMap(root.get([section])))
  const isWhole = (section: keyof Written) => whole.includes(section)
  if (sectionsOf(written).every(section => written[section].size === 0 && isWhole(section))) {
    findings.object([], 'empty configuration file', undefined, { code: 'missing-section' })
    return
  }
  if (!gates.has(ALLOW_NO_PIPELINES)) checkPresence(root, written, isWhole, pipelines, findings)
  checkAmbiguity(root, written, findings)
  for (const reference of enabled) {
    if (written.extensions.has(reference.id) || !isWhole('extensions')) continue
    missing(['service', 'extensions'], 'extension', reference, written.extensions, findings)
  }
  for (const pipeline of pipelines.values()) checkPipeline(pipeline, written, isWhole, gates, findings)
}

function sectionsOf(written: Written): readonly (keyof Written)[] {
  return Object.keys(written) as (keyof Written)[]
}

function isMap(node: ConfigNode | undefined): boolean {
  return node === undefined || node.kind === 'map' || node.kind === 'null'
}

type IsWhole = (section: keyof Written) => boolean

function checkPresence(
  root: ConfigNode,
  written: Written,
  isWhole: IsWhole,
  pipelines: ReadonlyMap<string, PipelineConfiguration>,
  findings: Findings,
): void {
  if (written.receivers.size === 0 && isWhole('receivers')) {
    findings.object([], 'no receiver configuration specified in config', root.get(['receivers'])?.origin, {
      code: 'missing-section',
    })
  }
  if (written.exporters.size === 0 && isWhole('exporters')) {
    findings.object([], 'no exporter configuration specified in config', root.get(['exporters'])?.origin, {
      code: 'missing-section',
    })
  }
  const section = root.get(['service', 'pipelines'])
  const none = section === undefined || section.kind === 'null' || (section.kind === 'map' && section.map.size === 0)
  if (pipelines.size === 0 && none) {
    const origin = section?.origin ?? root.get(['service'])?.origin
    findings.object(['service', 'pipelines'], 'service must have at least one pipeline', origin, {
      code: 'missing-section',
    })
  }
}

function checkAmbiguity(root: ConfigNode, written: Written, findings: Findings): void {
  const section = root.get(['connectors'])
  for (const id of written.connectors) {
    for (const kind of ['receiver', 'exporter'] as const) {
      if (!written[`${kind}s`].has(id)) continue
      const advice = `Change one of the components' IDs to eliminate ambiguity (e.g. rename "${id}" connector to "${id}/connector")`
      const message = `ambiguous ID: Found both "${id}" ${kind} and "${id}" connector. ${advice}`
      findings.object(['connectors', id], message, section?.kind === 'map' ? section.keyOrigin(id) : undefined, {
        code: 'ambiguous-id',
      })
    }
  }
}

function checkPipeline(
  pipeline: PipelineConfiguration,
  written: Written,
  isWhole: IsWhole,
  gates: ReadonlySet<string>,
  findings: Findings,
): void {
  const { id, origin, receivers, processors, exporters } = pipeline
  const path = ['service', 'pipelines', id.toString()]
  if (id.signal === 'profiles' && !gates.has(PROFILES_SUPPORT)) {
    const message = `pipeline "${id}": profiling signal support is at alpha level, gated under the "${PROFILES_SUPPORT}" feature gate`
    findings.object(['service', 'pipelines'], message, origin, { code: 'gated' })
  }
  if (receivers.length === 0)
    findings.object(path, 'must have at least one receiver', origin, { code: 'missing-section' })
  if (exporters.length === 0)
    findings.object(path, 'must have at least one exporter', origin, { code: 'missing-section' })
  for (const processor of repeated(processors)) {
    findings.object(path, `references processor "${processor.id}" multiple times`, processor.origin, {
      code: 'repeated-processor',
    })
  }
  const places = [
    ['receiver', receivers, ['receivers', 'connectors']],
    ['processor', processors, ['processors']],
    ['exporter', exporters, ['exporters', 'connectors']],
  ] as const
  for (const [kind, references, sections] of places) {
    if (!sections.every(isWhole)) continue
    const known = new Set(sections.flatMap(section => [...written[section]]))
    for (const reference of references) if (!known.has(reference.id)) missing(path, kind, reference, known, findings)
  }
}

function missing(
  path: readonly string[],
  kind: string,
  { id, origin }: { readonly id: string; readonly origin: Origin | undefined },
  known: ReadonlySet<string>,
  findings: Findings,
): void {
  findings.object(path, `references ${kind} "${id}" which is not configured`, origin, {
    code: 'unknown-reference',
    suggestion: nearest(id, known),
  })
}

/** The second mention of each id that is mentioned more than once. */
function repeated(references: readonly Reference[]): Reference[] {
  const seen = new Map<string, number>()
  return references.filter(({ id }) => {
    const count = (seen.get(id) ?? 0) + 1
    seen.set(id, count)
    return count === 2
  })
}
