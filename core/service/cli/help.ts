import type { CommandOption, Distribution } from '#core/component'
import type { CliCommand } from './cli-command.ts'
import { ExitCode } from './exit-code.ts'

const WIDTH = 110

/** The help of the whole command line. */
export function helpOfAll(distribution: Distribution, commands: readonly CliCommand[], run: CliCommand): string {
  const { command, description, version } = distribution
  return sections(`${description}, version ${version}`, [
    ['Usage', [`${command} [options]                runs a collector`, `${command} <command> [options]`]],
    ['Commands', columns(commands.map(one => [one.name, one.summary]))],
    ['Options', optionColumns({ ...run.options, ...COMMON, version: VERSION })],
    ['Exit codes', columns(EXIT_CODES)],
    [
      'Examples',
      [
        `${command} --config config.yaml --set exporters.debug.verbosity=detailed`,
        `${command} validate --config config.yaml`,
      ],
    ],
    [`See "${command} <command> --help" for the options of a command.`, []],
  ])
}

/** The help of one command. */
export function helpOf(distribution: Distribution, command: CliCommand): string {
  const options = { ...command.options, ...COMMON }
  const usage = command.usage ?? `${distribution.command} ${command.name} [options]`
  return sections(command.summary, [
    ['Usage', usage.split('\n')],
    ['Options', optionColumns(options)],
  ])
}

const COMMON = { help: { type: 'boolean', short: 'h', description: 'Prints this help' } } as const
const VERSION = { type: 'boolean', short: 'v', description: 'Prints name and version' } as const

const EXIT_CODES: readonly (readonly [string, string])[] = [
  [String(ExitCode.Ok), 'Done, or ended because asked to'],
  [String(ExitCode.Failure), 'The configuration cannot be used, the collector could not start, or a command failed'],
  [String(ExitCode.Usage), 'The command line is wrong'],
  [String(ExitCode.Fatal), 'A component failed while the collector was running'],
  [String(ExitCode.Unclean), 'Ended, but not everything had stopped cleanly before the deadline'],
  ['130, 143', 'A second SIGINT or SIGTERM ended the process at once'],
]

function sections(title: string, parts: readonly (readonly [heading: string, lines: readonly string[]])[]): string {
  const bodies = parts.map(([heading, lines]) =>
    lines.length === 0 ? heading : [`${heading}:`, ...lines.map(line => `  ${line}`)].join('\n'),
  )
  return `${[title, ...bodies].join('\n\n')}\n`
}

function optionColumns(options: Readonly<Record<string, CommandOption>>): string[] {
  return columns(
    Object.entries(options).map(([name, option]) => {
      const short = option.short === undefined ? '    ' : `-${option.short}, `
      const value = option.type === 'string' ? ' <value>' : ''
      const initial = option.default === undefined || option.default === false ? '' : ` (default ${option.default})`
      return [`${short}--${name}${value}`, option.description + initial] as const
    }),
  )
}

/** Two columns, the second wrapped. */
function columns(rows: readonly (readonly [string, string])[]): string[] {
  const left = Math.max(...rows.map(([text]) => text.length)) + 3
  return rows.flatMap(([text, description]) =>
    wrap(description, WIDTH - left).map((line, index) => (index === 0 ? text : '').padEnd(left) + line),
  )
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const last = lines.length - 1
    const longer = lines[last] === '' ? word : `${lines[last]} ${word}`
    if (longer.length <= width) lines[last] = longer
    else lines.push(word)
  }
  return lines
}
