import type { CommandOption, Distribution } from '#core/component'
import { ConfigError } from '#core/config'
import { extend, resolveSources, type Sources } from '../loaded.ts'
import { type Cli, type Options, textsOf } from './cli-command.ts'
import { UsageError } from './command-line.ts'
import { enabledGates } from './feature-gate.ts'

const COMPONENT_OPTION = {
  component: {
    type: 'string',
    multiple: true,
    description:
      'A file or package with components beside those that service::components names; one of the same type as a built-in component is used instead of it. May be repeated',
  },
} as const satisfies Readonly<Record<string, CommandOption>>

/** The options of every command that reads a configuration. */
export const SOURCE_OPTIONS = {
  config: {
    type: 'string',
    multiple: true,
    description:
      'Where the configuration is: a path or file:, env:, yaml:, http: or https: URI. May be repeated; later ones are merged over earlier ones',
  },
  set: {
    type: 'string',
    multiple: true,
    description: 'Sets one value over all sources, for example --set=processors.batch.timeout=2s. May be repeated',
  },
  ...COMPONENT_OPTION,
  'feature-gates': {
    type: 'string',
    multiple: true,
    description: 'Feature gates separated by commas: id or +id switches on, -id off',
  },
} as const satisfies Readonly<Record<string, CommandOption>>

/**
 * What these options say of where the configuration comes from.
 * @throws {UsageError}
 */
export function sourcesOf(options: Options, { io, settings }: Cli): Sources {
  const written = textsOf(options, 'config')
  const sources = written.length > 0 ? written : (settings.defaultSources ?? [])
  if (sources.length === 0) throw new UsageError('at least one config flag must be provided')
  const sets = textsOf(options, 'set')
  for (const item of sets) {
    if (!item.includes('=')) throw new UsageError(`invalid value "${item}" for flag -set: missing equal sign`)
  }
  const components = textsOf(options, 'component')
  return { sources, sets, env: io.env, gates: gatesOf(options), components, resolve: providersOf(settings) }
}

function providersOf({ schemes, defaultScheme }: Cli['settings']): NonNullable<Sources['resolve']> {
  return { ...(schemes && { schemes }), ...(defaultScheme !== undefined && { defaultScheme }) }
}

function gatesOf(options: Options): ReadonlySet<string> {
  try {
    return enabledGates(textsOf(options, 'feature-gates'))
  } catch (error) {
    throw error instanceof Error ? new UsageError(error.message) : error
  }
}

/** The options of commands that are about components, whatever the configuration says else. */
export const EXTENDING_OPTIONS = {
  ...COMPONENT_OPTION,
  config: {
    type: 'string',
    multiple: true,
    description: 'A configuration whose service::components are added to those of the distribution. May be repeated',
  },
} as const satisfies Readonly<Record<string, CommandOption>>

/**
 * The distribution with the components that these options add to it.
 * @throws {ConfigError} when one cannot be loaded
 */
export async function extendedBy(options: Options, { distribution, io, settings }: Cli): Promise<Distribution> {
  const [written, components] = [textsOf(options, 'config'), textsOf(options, 'component')]
  const sources = { sources: written, components, env: io.env, resolve: providersOf(settings) }
  const resolved = sources.sources.length > 0 ? await resolveSources(sources) : undefined
  const extended = await extend(distribution, sources, resolved)
  if (extended.faults.length > 0) throw new ConfigError(extended.faults)
  return extended.distribution
}

/** @throws {UsageError} when there are operands */
export function noOperands(operands: readonly string[]): void {
  if (operands.length > 0) throw new UsageError(`unexpected argument "${operands[0]}"`)
}
