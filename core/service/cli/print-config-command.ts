import { type ConfigNode, formatOrigin, printJson, printYaml, type Resolved } from '#core/config'
import { extend, loadedFrom, resolveSources } from '../loaded.ts'
import { type Cli, type CliCommand, textOf } from './cli-command.ts'
import { UsageError } from './command-line.ts'
import { effectiveConfiguration } from './effective-configuration.ts'
import { ExitCode } from './exit-code.ts'
import { noOperands, SOURCE_OPTIONS, sourcesOf } from './source-options.ts'

const OPTIONS = {
  ...SOURCE_OPTIONS,
  mode: { type: 'string', default: 'redacted', description: 'redacted, or unredacted to print secrets as well' },
  format: { type: 'string', default: 'yaml', description: 'yaml or json; json has durations in nanoseconds' },
  validate: { type: 'boolean', default: true, description: 'Whether an invalid configuration is refused' },
  origin: { type: 'boolean', default: false, description: 'Adds to each value where it was written' },
} as const

/** Prints a configuration as the components receive it: merged, expanded, with all defaults. */
export function printConfigCommand(cli: Cli): CliCommand {
  return {
    name: 'print-config',
    aliases: ['print-initial-config'],
    summary: 'Prints the whole configuration, merged and expanded, with all defaults',
    options: OPTIONS,
    async run({ options, operands, stdout }) {
      noOperands(operands)
      const mode = oneOf('mode', textOf(options, 'mode'), ['redacted', 'unredacted'])
      const format = oneOf('format', textOf(options, 'format') || 'yaml', ['yaml', 'json'])
      const sources = sourcesOf(options, cli)
      const resolved = await resolveSources(sources)
      const extended = await extend(cli.distribution, sources, resolved)
      if (options.validate === true) loadedFrom(extended, resolved, sources)
      const origin = options.origin === true
      const effective = effectiveConfiguration(extended.distribution, resolved, {
        secrets: mode === 'redacted' ? 'redacted' : 'shown',
        durations: format === 'yaml' || origin ? 'text' : 'nanoseconds',
        headers: origin ? 'map' : 'list',
      })
      stdout.write(print(effective, format, origin ? resolved : undefined))
      return ExitCode.Ok
    },
  }
}

function print(effective: object, format: 'yaml' | 'json', resolved: Resolved | undefined): string {
  if (resolved === undefined) return format === 'yaml' ? printYaml(effective) : printJson(effective)
  const comment = (path: readonly string[]) => describeOrigin(resolved.root, path)
  if (format === 'yaml') return printYaml(effective, { comment })
  return printJson(
    Object.fromEntries(
      leavesOf(effective, []).map(([path, value]) => [path.join('::'), { value, origin: comment(path) }]),
    ),
  )
}

/** `file:line:column`, with the reference that stood there, or `default`. */
function describeOrigin(root: ConfigNode, path: readonly string[]): string {
  const node = root.get(path) ?? listed(root, path)
  if (node === undefined || node.kind === 'null') return 'default'
  if (node.origin === undefined) return 'unknown'
  const { via } = node.origin
  return formatOrigin(node.origin) + (via === undefined ? '' : ` (${via})`)
}

/** What is printed as a map or a list may have been written otherwise: headers as pairs, a list as one text. */
function listed(root: ConfigNode, path: readonly string[]): ConfigNode | undefined {
  const parent = root.get(path.slice(0, -1))
  if (parent?.kind === 'scalar') return parent
  if (parent?.kind !== 'list') return undefined
  const name = path.at(-1)
  return parent.items.find(pair => {
    const written = pair.get(['name'])
    return written?.kind === 'scalar' && (written.original ?? written.value) === name
  })
}

function leavesOf(value: unknown, path: readonly string[]): (readonly [readonly string[], unknown])[] {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  const entries = Object.entries(value)
  return entries.length === 0 ? [[path, value]] : entries.flatMap(([key, item]) => leavesOf(item, [...path, key]))
}

function oneOf<const W extends string>(name: string, value: string | undefined, words: readonly W[]): W {
  const word = words.find(one => one === value)
  if (word === undefined) throw new UsageError(`unrecognized ${name} "${value}": must be ${words.join(' or ')}`)
  return word
}
