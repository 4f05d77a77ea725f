import { printJson } from '#core/config'
import type { Cli, CliCommand } from './cli-command.ts'
import { configurationSchema } from './configuration-schema.ts'
import { ExitCode } from './exit-code.ts'
import { EXTENDING_OPTIONS, extendedBy, noOperands } from './source-options.ts'

/** Prints the JSON Schema by which editors complete and check configurations. */
export function schemaCommand(cli: Cli): CliCommand {
  return {
    name: 'schema',
    summary: 'Prints the JSON Schema of a whole configuration, for editors',
    options: EXTENDING_OPTIONS,
    async run({ options, operands, stdout }) {
      noOperands(operands)
      stdout.write(printJson(configurationSchema(await extendedBy(options, cli))))
      return ExitCode.Ok
    },
  }
}
