import { writeFile } from 'node:fs/promises'
import { printJson } from '#core/config'
import { describeMigration, reportOf } from '../migrate/describe-migration.ts'
import { type Migration, migrationOf } from '../migrate/migration.ts'
import { type Cli, type CliCommand, textOf, textsOf } from './cli-command.ts'
import { UsageError } from './command-line.ts'
import { ExitCode } from './exit-code.ts'
import { SOURCE_OPTIONS, sourcesOf } from './source-options.ts'

const OPTIONS = {
  ...SOURCE_OPTIONS,
  format: { type: 'string', default: 'text', description: 'text or json' },
  write: {
    type: 'string',
    description: 'Where to write the configuration without what cannot run: a path, or - for standard output',
  },
} as const

/** Says what of a configuration of the OpenTelemetry Collector runs here, and what to do about the rest. */
export function migrateCommand(cli: Cli): CliCommand {
  const { command } = cli.distribution
  return {
    name: 'migrate',
    summary: 'Lists what of a Collector configuration cannot run here, and what to do instead',
    usage: `${command} migrate [configuration...] [--format json] [--write path]`,
    options: OPTIONS,
    async run({ options, operands, stdout, stderr }) {
      const format = textOf(options, 'format')
      if (format !== 'text' && format !== 'json') {
        throw new UsageError(`unrecognized format "${format}": must be text or json`)
      }
      const config = [...textsOf(options, 'config'), ...operands]
      const migration = await migrationOf(cli.distribution, sourcesOf({ ...options, config }, cli))
      const path = textOf(options, 'write')
      const report = format === 'json' ? printJson(reportOf(migration)) : describeMigration(migration, command)
      // Standard output holds one thing: the configuration when it was asked for.
      if (path === '-') stderr.write(report)
      else stdout.write(report)
      if (path === '-') stdout.write(remainderOf(migration))
      else if (path !== undefined) await writeFile(path, remainderOf(migration))
      return migration.runs ? ExitCode.Ok : ExitCode.Failure
    },
  }
}

/** What is left, beginning with what was taken out and what is still to be done. */
function remainderOf(migration: Migration): string {
  const { components, pipelines, faults } = migration
  const gone = [
    ...components.filter(({ state }) => state === 'missing').map(({ path }) => path.join('::')),
    ...pipelines.filter(({ state }) => state === 'missing').map(({ id }) => `service::pipelines::${id}`),
  ]
  const open = [...components.flatMap(one => one.faults), ...faults].filter(({ code }) => code !== 'unknown-key')
  return [
    ...(gone.length === 0 ? [] : [`# Taken out, since nothing can run it: ${gone.join(', ')}.\n`]),
    ...open.map(({ path, message }) => `# To be changed: ${path}: ${message}.\n`),
    migration.remainder(),
  ].join('')
}
