import type { CommandOption } from '#core/component'
import { type Resolved, resolve } from '#core/config'
import type { Sources } from '../loaded.ts'
import { type Cli, type Options, textsOf } from './cli-command.ts'
import { UsageError } from './command-line.ts'
import { enabledGates } from './feature-gate.ts'

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
  return { sources, sets, env: io.env, gates: gatesOf(options) }
}

/**
 * Reads, merges and expands the sources, and goes no further.
 * @throws {ConfigError}
 */
export function resolveSources({ sources = [], sets = [], env, gates }: Sources): Promise<Resolved> {
  const appendLists = gates?.has('confmap.enableMergeAppendOption') ?? false
  return resolve(sources, { sets, appendLists, ...(env === undefined ? {} : { env }) })
}

function gatesOf(options: Options): ReadonlySet<string> {
  try {
    return enabledGates(textsOf(options, 'feature-gates'))
  } catch (error) {
    throw error instanceof Error ? new UsageError(error.message) : error
  }
}

/** @throws {UsageError} when there are operands */
export function noOperands(operands: readonly string[]): void {
  if (operands.length > 0) throw new UsageError(`unexpected argument "${operands[0]}"`)
}
