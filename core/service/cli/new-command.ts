import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import type { Definition, Kind } from '#core/component'
import { nearest, optionTable } from '#core/config'
import { ComponentModules } from '../components/component-modules.ts'
import { componentFiles } from '../new/component-files.ts'
import { InvalidName, namesOf } from '../new/names.ts'
import { dependencyOn } from '../new/where-millrace-is.ts'
import { type Cli, type CliCommand, textOf } from './cli-command.ts'
import { UsageError } from './command-line.ts'
import { putTable } from './component-readme.ts'
import { ExitCode } from './exit-code.ts'

const KINDS: readonly string[] = ['receiver', 'processor', 'exporter', 'connector', 'extension']

/** Writes a new component with its test, its README, a configuration and a manifest, which work as they are. */
export function newCommand({ distribution }: Cli): CliCommand {
  const { command } = distribution
  return {
    name: 'new',
    summary: 'Writes a new component, with its test, README and configuration, to a folder of its name',
    usage: `${command} new ${KINDS.join('|')} <name> [--directory <folder>]`,
    options: {
      directory: { type: 'string', description: 'The folder to write to; default: one named after the component' },
    },
    async run({ options, operands, stdout }) {
      const [kind, name, surplus] = operands
      if (kind === undefined || name === undefined)
        throw new UsageError(`a kind and a name are needed: ${command} new processor redact`)
      if (surplus !== undefined) throw new UsageError(`unexpected argument "${surplus}"`)
      assertKind(kind)
      const names = namesFor(name)
      const taken = (distribution[`${kind}s`] as readonly Definition[]).some(one =>
        [one.type, ...(one.aliases ?? [])].includes(names.type),
      )
      if (taken) throw new Error(`${command} has a ${kind} "${names.type}" already: choose another name`)
      const folder = resolve(textOf(options, 'directory') ?? names.file)
      const dependency = dependencyOn(folder, distribution.version)
      await writeNew(folder, componentFiles(kind, names, distribution, dependency))
      await describeOptions(folder, `${names.file}.ts`)
      const shown = relative('', folder) || '.'
      stdout.write(`${(await readdir(folder)).map(file => join(shown, file)).join('\n')}

cd ${shown}
${dependency === undefined ? '' : 'npm install\n'}npm start   # ${command} --config config.yaml --watch: runs it, and takes in every change
npm test    # node --test
`)
      return ExitCode.Ok
    },
  }
}

function assertKind(kind: string): asserts kind is Kind {
  if (KINDS.includes(kind)) return
  const hint = nearest(kind, KINDS)
  const suggestion = hint === undefined ? '' : ` (did you mean "${hint}"?)`
  throw new UsageError(`unknown kind of component "${kind}": must be ${KINDS.join(', ')}${suggestion}`)
}

function namesFor(name: string) {
  try {
    return namesOf(name)
  } catch (error) {
    throw error instanceof InvalidName ? new UsageError(error.message) : error
  }
}

/** @throws {Error} when the folder holds anything: nothing is ever written over */
async function writeNew(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true })
  const there = await readdir(folder)
  if (there.length > 0) throw new Error(`cannot write to ${folder}: it holds ${there[0]} already`)
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { flag: 'wx' })
}

/** Fills the table of options, as `docs` would. */
async function describeOptions(folder: string, file: string): Promise<void> {
  const { definitions } = await new ComponentModules().load({ specifier: join(folder, file), folders: [folder] })
  const readme = join(folder, 'README.md')
  const text = await readFile(readme, 'utf8')
  await writeFile(readme, putTable(text, 'options', optionTable(definitions[0]!.config)))
}
