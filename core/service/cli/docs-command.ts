import { writeFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import type { Cli, CliCommand } from './cli-command.ts'
import { UsageError } from './command-line.ts'
import { readmesOf } from './component-readme.ts'
import { ExitCode } from './exit-code.ts'
import { EXTENDING_OPTIONS, extendedBy } from './source-options.ts'

/** Writes the tables of options and metrics in the READMEs of components. */
export function docsCommand(cli: Cli): CliCommand {
  return {
    name: 'docs',
    summary: "Writes the tables of options and metrics in the components' READMEs",
    usage: `${cli.distribution.command} docs [folder of the repository] [--check]`,
    options: {
      ...EXTENDING_OPTIONS,
      check: {
        type: 'boolean',
        default: false,
        description: 'Writes nothing, and fails when a table is not up to date',
      },
    },
    async run({ options, operands, stdout, stderr }) {
      if (operands.length > 1) throw new UsageError(`unexpected argument "${operands[1]}"`)
      const root = resolve(operands[0] ?? '.')
      const distribution = await extendedBy(options, cli)
      const stale = (await readmesOf(distribution, root)).filter(({ written, wanted }) => written !== wanted)
      for (const { path, wanted } of stale) {
        if (options.check === true) stderr.write(`Error: ${relative(root, path)} is not up to date\n`)
        else {
          await writeFile(path, wanted)
          stdout.write(`${relative(root, path)}\n`)
        }
      }
      return options.check === true && stale.length > 0 ? ExitCode.Failure : ExitCode.Ok
    },
  }
}
