import type { Distribution } from '#core/component'
import { printJson, printYaml } from '#core/config'
import { type Cli, type CliCommand, textOf } from './cli-command.ts'
import { UsageError } from './command-line.ts'
import { ExitCode } from './exit-code.ts'
import { EXTENDING_OPTIONS, extendedBy, noOperands } from './source-options.ts'

/** Lists what the distribution can do. */
export function componentsCommand(cli: Cli): CliCommand {
  return {
    name: 'components',
    summary: 'Lists the components of this distribution with their stability',
    options: {
      ...EXTENDING_OPTIONS,
      format: {
        type: 'string',
        default: 'yaml',
        description: 'yaml, as the Collector prints it, or json with more details',
      },
    },
    async run({ options, operands, stdout }) {
      noOperands(operands)
      const format = textOf(options, 'format')
      const distribution = await extendedBy(options, cli)
      if (format === 'json') stdout.write(printJson(componentList(distribution, true, cli.settings.schemes)))
      else if (format === 'yaml') stdout.write(printYaml(componentList(distribution, false, cli.settings.schemes)))
      else throw new UsageError(`unrecognized format "${format}": must be yaml or json`)
      return ExitCode.Ok
    },
  }
}

/** Components by kind, sorted by name. The details are descriptions and aliases. */
export function componentList(distribution: Distribution, details: boolean, schemes = SCHEMES): object {
  const { command, description, version } = distribution
  const list = (section: Kind) =>
    distribution[section]
      .toSorted((a, b) => (a.type < b.type ? -1 : 1))
      .map(one => ({
        name: one.type,
        module: one.source ?? `${command}/${section}/${one.type} v${version}`,
        ...(details ? { description: one.description, aliases: one.aliases ?? [] } : {}),
        stability: stabilityOf(section, one.stability),
      }))
  return {
    buildinfo: { command, description, version },
    ...Object.fromEntries(KINDS.map(section => [section, list(section)])),
    providers: schemes.map(scheme => ({ scheme, module: `${command}/core/config v${version}` })),
  }
}

const KINDS = ['receivers', 'processors', 'exporters', 'connectors', 'extensions'] as const
type Kind = (typeof KINDS)[number]
const SCHEMES: readonly string[] = ['env', 'file', 'http', 'https', 'yaml']

/** Levels by signal; pairs of signals for connectors. Signals that are not supported are left out. */
function stabilityOf(section: Kind, stability: unknown): Record<string, string> {
  if (typeof stability === 'string') return { extension: capitalize(stability) }
  const entries = Object.entries(stability as Record<string, unknown>)
  if (section !== 'connectors')
    return Object.fromEntries(entries.map(([signal, level]) => [signal, capitalize(String(level))]))
  return Object.fromEntries(
    entries.flatMap(([from, levels]) =>
      Object.entries(levels as Record<string, string>).map(([to, level]) => [`${from}-to-${to}`, capitalize(level)]),
    ),
  )
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
