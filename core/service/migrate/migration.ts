import type { Distribution } from '#core/component'
import { ConfigError, type Fault, type Resolved, SourceTexts } from '#core/config'
import { illustrate } from '../diagnostics/illustrate.ts'
import { secrecyOf } from '../diagnostics/secrecy.ts'
import { extend, resolveSources, type Sources } from '../loaded.ts'
import { type PrunedPipeline, prune } from './prune.ts'
import { type Surveyed, surveyOf } from './survey.ts'
import { without } from './without.ts'

/** What stands between a configuration of the Collector and running here. */
export interface Migration {
  /** Whether it runs as it is, as far as one can see. */
  readonly runs: boolean
  readonly components: readonly Surveyed[]
  readonly pipelines: readonly PrunedPipeline[]
  /** What is wrong outside of components. */
  readonly faults: readonly Fault[]
  /** The configuration without what cannot run, as YAML. */
  remainder(): string
}

/**
 * Holds a configuration of the Collector against a distribution. References need not resolve: what they stand for is
 * taken on trust then.
 * @throws {ConfigError} when a source cannot be read
 */
export async function migrationOf(distribution: Distribution, sources: Sources): Promise<Migration> {
  const texts = new SourceTexts()
  let written: Resolved
  try {
    written = await resolveSources({ ...sources, resolve: { ...sources.resolve, expand: false } }, {}, texts)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const faults = illustrate(error.faults, texts, secrecyOf(distribution, undefined, texts))
    throw new ConfigError(faults, { stage: 'resolve', cause: error })
  }
  const { root, faults: unsupported } = await expanded(sources, written, texts)
  const extended = await extend(distribution, sources, { root, warnings: [] })
  const survey = surveyOf(extended.distribution, root)
  const { pipelines, removals } = prune(written.root, survey)
  const secrecy = secrecyOf(extended.distribution, root, texts)
  const components = survey.components.map(one => ({ ...one, faults: illustrate(one.faults, texts, secrecy) }))
  const faults = illustrate([...unsupported, ...extended.faults, ...survey.faults], texts, secrecy)
  return {
    runs: faults.length === 0 && components.every(({ state }) => state === 'runs'),
    components,
    pipelines,
    faults,
    remainder() {
      const [only, ...others] = texts.configurations
      const count = (sources.sources?.length ?? 0) + (sources.sets?.length ?? 0)
      return without(written.root, others.length === 0 && count === 1 ? only?.text : undefined, removals)
    },
  }
}

/** The configuration with its references expanded where all of them can be, and the references that never can be. */
async function expanded(
  sources: Sources,
  written: Resolved,
  texts: SourceTexts,
): Promise<Pick<Resolved, 'root'> & { faults: Fault[] }> {
  try {
    const { root } = await resolveSources(sources, {}, texts)
    return { root, faults: [] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const faults = error.faults.filter(({ message }) => / is not supported for uri /.test(message))
    return { root: written.root, faults }
  }
}
