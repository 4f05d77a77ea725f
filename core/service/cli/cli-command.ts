import type { Command, CommandInvocation, Distribution } from '#core/component'
import type { CliIo } from './cli-io.ts'

/** How a distribution's command line differs from others. */
export interface CliSettings {
  /** Sources used when no `--config` is given. Without them, one must be given. */
  readonly defaultSources?: readonly string[]
  /** Commands beside those that every distribution has. */
  readonly commands?: readonly Command[]
  /** Schemes of the providers that configurations may come from. Default: all that there are. */
  readonly schemes?: readonly string[]
  /** The scheme of references without one, `${NAME}`. Default `env`. */
  readonly defaultScheme?: string
}

/** What commands have to work with. */
export interface Cli {
  readonly distribution: Distribution
  readonly io: CliIo
  readonly settings: CliSettings
}

/** A command of the command line itself. */
export interface CliCommand extends Command {
  /** Other names, not shown in the list of commands. */
  readonly aliases?: readonly string[]
  /** Whether the command watches signals itself; otherwise SIGINT and SIGTERM abort its signal. */
  readonly watchesSignals?: boolean
}

export type Options = CommandInvocation['options']

/** The value of a string option. */
export function textOf(options: Options, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** The values of a string option that may be repeated. */
export function textsOf(options: Options, name: string): readonly string[] {
  const values = options[name]
  return Array.isArray(values) ? values.filter(value => typeof value === 'string') : []
}
