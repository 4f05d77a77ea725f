import type { CommandInvocation, Definition, Distribution } from '#core/component'
import { nearest } from '#core/config'
import type { Cli, CliCommand, CliSettings } from './cli-command.ts'
import { type CliIo, processIo } from './cli-io.ts'
import { parseCommandLine, UsageError } from './command-line.ts'
import { componentsCommand } from './components-command.ts'
import { describeError, describeWarningsOf } from './describe-error.ts'
import { docsCommand } from './docs-command.ts'
import { ExitCode } from './exit-code.ts'
import { featuregateCommand } from './featuregate-command.ts'
import { helpOf, helpOfAll } from './help.ts'
import { migrateCommand } from './migrate-command.ts'
import { newCommand } from './new-command.ts'
import { printConfigCommand } from './print-config-command.ts'
import { runCommand } from './run-command.ts'
import { schemaCommand } from './schema-command.ts'
import { validateCommand } from './validate-command.ts'

/**
 * Runs the command line of a distribution: a collector, or the command that the first arguments name. Never throws:
 * what goes wrong is printed to standard error.
 * @param argv the arguments after the program's name
 * @returns an {@link ExitCode}, or 128 and the number of the signal that came twice
 */
export async function runCli(
  distribution: Distribution,
  argv: readonly string[],
  io: CliIo = processIo(),
  settings: CliSettings = {},
): Promise<number> {
  const cli: Cli = { distribution, io, settings }
  try {
    return await dispatch(cli, argv)
  } catch (error) {
    io.stderr.write(describeWarningsOf(error) + describeError(error))
    if (!(error instanceof UsageError)) return ExitCode.Failure
    io.stderr.write(`Run "${distribution.command} --help" for usage.\n`)
    return ExitCode.Usage
  }
}

async function dispatch(cli: Cli, argv: readonly string[]): Promise<number> {
  const { distribution, io } = cli
  const run = runCommand(cli)
  const commands = [run, ...builtIn(cli), ...(cli.settings.commands ?? []), ...contributed(distribution)]
  const [command, args] = select(commands, argv) ?? [undefined, argv]
  const options = { ...(command ?? run).options, ...HELP, ...(command === undefined ? VERSION : {}) }
  const { options: given, operands } = parseCommandLine(args, options)
  if (given.help === true) {
    io.stdout.write(command === undefined ? helpOfAll(distribution, commands, run) : helpOf(distribution, command))
    return ExitCode.Ok
  }
  if (given.version === true) {
    io.stdout.write(`${distribution.command} version ${distribution.version}\n`)
    return ExitCode.Ok
  }
  if (command === undefined && operands.length > 0) throw unknownCommand(operands[0]!, commands, distribution)
  return invoke(command ?? run, { options: given, operands }, io)
}

const HELP = { help: { type: 'boolean', short: 'h', description: 'Prints help' } } as const
const VERSION = { version: { type: 'boolean', short: 'v', description: 'Prints the version' } } as const

function builtIn(cli: Cli): readonly CliCommand[] {
  return [
    validateCommand(cli),
    migrateCommand(cli),
    printConfigCommand(cli),
    componentsCommand(cli),
    schemaCommand(cli),
    docsCommand(cli),
    featuregateCommand(cli),
    newCommand(cli),
  ]
}

/** The commands that components bring. */
function contributed(distribution: Distribution): readonly CliCommand[] {
  const { receivers, processors, exporters, connectors, extensions } = distribution
  const all: readonly Definition[] = [...receivers, ...processors, ...exporters, ...connectors, ...extensions]
  return all.flatMap(definition => definition.commands ?? [])
}

/** The command with the longest name that the arguments begin with, and the arguments after it. */
function select(commands: readonly CliCommand[], argv: readonly string[]): [CliCommand, readonly string[]] | undefined {
  const matches = commands.flatMap(command =>
    [command.name, ...(command.aliases ?? [])].map(name => ({ command, words: name.split(' ') })),
  )
  const [best] = matches
    .filter(({ words }) => words.every((word, index) => argv[index] === word))
    .toSorted((a, b) => b.words.length - a.words.length)
  return best && [best.command, argv.slice(best.words.length)]
}

function unknownCommand(word: string, commands: readonly CliCommand[], { command }: Distribution): UsageError {
  const suggestion = nearest(
    word,
    commands.map(one => one.name),
  )
  const hint = suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`
  return new UsageError(`unknown command "${word}" for "${command}"${hint}`)
}

async function invoke(
  command: CliCommand,
  { options, operands }: Pick<CommandInvocation, 'options' | 'operands'>,
  io: CliIo,
): Promise<number> {
  const aborted = new AbortController()
  const abort = () => aborted.abort()
  const watches = command.watchesSignals === true ? [] : [io.onSignal('SIGINT', abort), io.onSignal('SIGTERM', abort)]
  const write = (sink: CliIo['stdout']) => ({ write: (text: string) => void sink.write(text) })
  try {
    return await command.run({
      options,
      operands,
      stdin: io.stdin,
      stdout: write(io.stdout),
      stderr: write(io.stderr),
      signal: aborted.signal,
    })
  } finally {
    for (const stop of watches) stop()
  }
}
