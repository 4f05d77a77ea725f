import { resolve as absolute } from 'node:path'
import type { Distribution } from '#core/component'
import { type Environment, type Resolved, type ResolveOptions, readTextFile, resolve } from '#core/config'
import { configure, type Plan, plan } from '#core/pipeline'
import { ComponentModules } from './components/component-modules.ts'
import { type Extended, withLocalComponents } from './components/local-components.ts'
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
}

/**
 * Reads a configuration as far as one can without building anything.
 * @throws {ConfigError} with every fault
 */
export async function load(distribution: Distribution, from: Sources, loading: Loading = {}): Promise<Loaded> {
  const resolved = await resolveSources(from, loading)
  const extended = await extend(distribution, from, resolved, loading)
  return loadedFrom(extended, resolved, from)
}

/**
 * Reads, merges and expands the sources, and goes no further.
 * @throws {ConfigError}
 */
export function resolveSources(from: Sources, { files }: Loading = {}): Promise<Resolved> {
  const { sources = [], config, sets = [], env, gates = new Set() } = from
  const uris = config === undefined ? sources : [...sources, `yaml:${JSON.stringify(config)}`]
  const appendLists = gates.has('confmap.enableMergeAppendOption')
  const { readFile = readTextFile } = from.resolve ?? {}
  const noting = (path: string) => {
    files?.add(absolute(path))
    return readFile(path)
  }
  const options = { appendLists, ...from.resolve, sets, readFile: noting, ...(env === undefined ? {} : { env }) }
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
 * @throws {ConfigError} with every fault
 */
export function loadedFrom({ distribution, faults, warnings }: Extended, resolved: Resolved, from: Sources): Loaded {
  const telemetry = { schema: telemetrySchema, check: checkTelemetry }
  const all = { ...resolved, warnings: [...resolved.warnings, ...warnings] }
  const configuration = configure(distribution, all, { telemetry, gates: from.gates ?? new Set(), missing: faults })
  return { plan: plan(configuration), telemetry: configuration.telemetry }
}
