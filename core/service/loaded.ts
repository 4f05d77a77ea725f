import { resolve as absolute } from 'node:path'
import type { Distribution } from '#core/component'
import {
  ConfigError,
  type Environment,
  type Resolved,
  type ResolveOptions,
  readTextFile,
  resolve,
  SourceTexts,
  type Warning,
} from '#core/config'
import { type AdviceOn, configure, type Plan, plan } from '#core/pipeline'
import { ComponentModules } from './components/component-modules.ts'
import { type Extended, withLocalComponents } from './components/local-components.ts'
import { advise } from './diagnostics/advise.ts'
import { furtherDocuments, illustrate } from './diagnostics/illustrate.ts'
import { secrecyOf } from './diagnostics/secrecy.ts'
import { hintFor } from './migrate/substitute.ts'
import { checkTelemetry, type TelemetryConfig, telemetrySchema } from './telemetry/schema.ts'

/** Where a collector's configuration comes from. All sources are merged in order, `config` after them, `sets` last. */
export interface Sources {
  /** URIs or paths. */
  readonly sources?: readonly string[]
  /** A configuration as an object, for programs that embed a collector. `${…}` in it is expanded. */
  readonly config?: object
  /** Items of `--set`, `a.b=value`. */
  readonly sets?: readonly string[]
  /** What `${env:NAME}` reads; default: the environment of the process. */
  readonly env?: Environment
  /** Feature gates that are on. */
  readonly gates?: ReadonlySet<string>
  /** Paths and packages of components beside those that `service::components` names; these may replace built-in ones. */
  readonly components?: readonly string[]
  /** What else resolution may use instead of the process's own world. */
  readonly resolve?: Omit<ResolveOptions, 'env' | 'sets'>
}

/** A configuration that was read, decoded and checked, and the graph planned from it. */
export interface Loaded {
  readonly plan: Plan
  readonly telemetry: TelemetryConfig
}

/** What several loadings share. */
export interface Loading {
  /** Components that were loaded before are the same again while their files are. */
  readonly modules?: ComponentModules
  /** Takes the absolute path of every file that is read, or that was to be. */
  readonly files?: Set<string>
  /** Whether warnings come with the lines that they are about, as faults always do. */
  readonly excerpts?: boolean
}

/**
 * Reads a configuration as far as one can without building anything.
 * @throws {ConfigError} with every fault, and the line that it is about
 */
export async function load(distribution: Distribution, from: Sources, loading: Loading = {}): Promise<Loaded> {
  const texts = new SourceTexts()
  let resolved: Resolved | undefined
  let extended: Extended | undefined
  const secrecy = () => secrecyOf(extended?.distribution ?? distribution, resolved?.root, texts)
  try {
    resolved = await resolveSources(from, loading, texts)
    extended = await extend(distribution, from, resolved, loading)
    const files = texts.configurations.map(({ file }) => file).filter(file => !file.startsWith('env:'))
    const loaded = loadedFrom(extended, resolved, from, new Set(files))
    const warnings = [...loaded.plan.configuration.warnings, ...furtherDocuments(texts)]
    return withWarnings(loaded, loading.excerpts === true ? illustrate(warnings, texts, secrecy()) : warnings)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const shown = secrecy()
    const warnings = illustrate([...(resolved?.warnings ?? []), ...furtherDocuments(texts)], texts, shown)
    const { stage, cause } = error
    throw new ConfigError(illustrate(error.faults, texts, shown), { cause, warnings, ...(stage && { stage }) })
  }
}

function withWarnings({ plan, ...loaded }: Loaded, warnings: readonly Warning[]): Loaded {
  return { ...loaded, plan: { ...plan, configuration: { ...plan.configuration, warnings } } }
}

/**
 * Reads, merges and expands the sources, and goes no further.
 * @throws {ConfigError}
 */
export function resolveSources(from: Sources, { files }: Loading = {}, texts?: SourceTexts): Promise<Resolved> {
  const { sources = [], config, sets = [], env, gates = new Set() } = from
  const uris = config === undefined ? sources : [...sources, `yaml:${JSON.stringify(config)}`]
  const appendLists = gates.has('confmap.enableMergeAppendOption')
  const { readFile = readTextFile } = from.resolve ?? {}
  const noting = (path: string) => {
    files?.add(absolute(path))
    return readFile(path)
  }
  const options = { appendLists, ...from.resolve, sets, readFile: noting, ...(env && { env }), ...(texts && { texts }) }
  return resolve(uris, options)
}

/** The distribution with the components that the command line and the configuration, if there is one, add to it. */
export function extend(
  distribution: Distribution,
  { components = [] }: Sources,
  resolved?: Resolved,
  { modules = new ComponentModules(), files }: Loading = {},
): Promise<Extended> {
  return withLocalComponents(distribution, resolved?.root, components, modules, files)
}

/**
 * Holds a configuration against its components and plans the graph.
 * @param files the names that origins give to the texts that were given as configuration, but for the environment
 * @throws {ConfigError} with every fault
 */
export function loadedFrom(
  { distribution, faults, warnings }: Extended,
  resolved: Resolved,
  from: Sources,
  files: ReadonlySet<string> = new Set(),
): Loaded {
  const telemetry = { schema: telemetrySchema, check: checkTelemetry }
  const all = { ...resolved, warnings: [...resolved.warnings, ...warnings] }
  const adviceOn: AdviceOn = (kind, type) => hintFor(kind, type, distribution)
  const configuration = configure(distribution, all, {
    telemetry,
    gates: from.gates ?? new Set(),
    missing: faults,
    adviceOn,
  })
  const planned = plan(configuration)
  const advice = advise(planned, resolved.root, files)
  return withWarnings({ plan: planned, telemetry: configuration.telemetry }, [...configuration.warnings, ...advice])
}
