import { type Cli, type CliCommand, textsOf } from './cli-command.ts'
import { UsageError } from './command-line.ts'
import { ExitCode } from './exit-code.ts'
import { enabledGates, FEATURE_GATES } from './feature-gate.ts'
import { SOURCE_OPTIONS } from './source-options.ts'

/** Shows feature gates: all as a table, or one. */
export function featuregateCommand({ distribution }: Cli): CliCommand {
  return {
    name: 'featuregate',
    summary: 'Shows the feature gates and which of them are on',
    usage: `${distribution.command} featuregate [id] [--feature-gates value]`,
    options: { 'feature-gates': SOURCE_OPTIONS['feature-gates'] },
    async run({ options, operands, stdout }) {
      if (operands.length > 1) throw new UsageError(`unexpected argument "${operands[1]}"`)
      const enabled = enabledGates(textsOf(options, 'feature-gates'))
      const [id] = operands
      if (id === undefined) stdout.write(table(enabled))
      else stdout.write(details(id, enabled))
      return ExitCode.Ok
    },
  }
}

function table(enabled: ReadonlySet<string>): string {
  const rows = FEATURE_GATES.map(({ id, stage, description }) => [id, String(enabled.has(id)), stage, description])
  const all = [['ID', 'Enabled', 'Stage', 'Description'], ...rows]
  const widths = [0, 1, 2].map(column => Math.max(...all.map(row => row[column]!.length)) + 2)
  return all.map(row => `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('')}\n`).join('')
}

function details(id: string, enabled: ReadonlySet<string>): string {
  const gate = FEATURE_GATES.find(one => one.id === id)
  if (gate === undefined) throw new Error(`feature "${id}" not found`)
  const lines = [
    `Feature: ${id}`,
    `Enabled: ${enabled.has(id)}`,
    `Stage: ${gate.stage}`,
    `Description: ${gate.description}`,
    `From Version: ${gate.fromVersion}`,
    ...(gate.toVersion === undefined ? [] : [`To Version: ${gate.toVersion}`]),
  ]
  return `${lines.join('\n')}\n`
}
