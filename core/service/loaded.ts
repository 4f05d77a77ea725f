import type { Distribution } from '#core/component'
import { type Environment, type ResolveOptions, resolve } from '#core/config'
import { configure, type Plan, plan } from '#core/pipeline'
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
  /** What else resolution may use instead of the process's own world. */
  readonly resolve?: Omit<ResolveOptions, 'env' | 'sets'>
}

/** A configuration that was read, decoded and checked, and the graph planned from it. */
export interface Loaded {
  readonly plan: Plan
  readonly telemetry: TelemetryConfig
}

/**
 * Reads a configuration as far as one can without building anything.
 * @throws {ConfigError} with every fault
 */
export async function load(distribution: Distribution, from: Sources): Promise<Loaded> {
  const { sources = [], config, sets = [], env, gates = new Set() } = from
  const uris = config === undefined ? sources : [...sources, `yaml:${JSON.stringify(config)}`]
  const appendLists = gates.has('confmap.enableMergeAppendOption')
  const resolved = await resolve(uris, { appendLists, ...from.resolve, sets, ...(env === undefined ? {} : { env }) })
  const telemetry = { schema: telemetrySchema, check: checkTelemetry }
  const configuration = configure(distribution, resolved, { telemetry, gates })
  return { plan: plan(configuration), telemetry: configuration.telemetry }
}
