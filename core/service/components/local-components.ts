import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Definition, Distribution } from '#core/component'
import { type ConfigNode, type Fault, type Origin, toPlain, type Warning } from '#core/config'
import { type ComponentModules, type ComponentRequest, isPath, NotLoaded } from './component-modules.ts'

/** A distribution with the components that were added to it, and what is wrong or worth mentioning about these. */
export interface Extended {
  readonly distribution: Distribution
  readonly faults: readonly Fault[]
  readonly warnings: readonly Warning[]
}

const code = 'component-not-loaded'

interface Mention extends ComponentRequest {
  /** Keys of the configuration; none on the command line. */
  readonly path: string
  readonly origin?: Origin
  /** Whether it may take the place of a component of the distribution: only on the command line. */
  readonly replaces: boolean
}

/**
 * Adds the components that `service::components` of a configuration and `--component` name. Paths are relative to the
 * file that names them; packages are resolved from its folder, then from the working directory.
 *
 * @param named operands of `--component`, relative to the working directory
 * @param files takes the paths of all files behind them, also of those that cannot be loaded
 */
export async function withLocalComponents(
  distribution: Distribution,
  root: ConfigNode | undefined,
  named: readonly string[],
  modules: ComponentModules,
  files: Set<string> = new Set(),
): Promise<Extended> {
  const faults: Fault[] = []
  const warnings: Warning[] = []
  let extended = distribution
  for (const mention of [...named.map(onCommandLine), ...written(root, faults)]) {
    try {
      const { definitions, file } = await modules.load(mention)
      for (const definition of definitions) extended = add(extended, definition, file, mention, faults, warnings)
    } catch (error) {
      if (!(error instanceof NotLoaded)) throw error
      faults.push(faultAt(mention, error.message + hint(mention)))
    } finally {
      for (const file of modules.filesOf(mention)) files.add(file)
    }
  }
  return { distribution: extended, faults, warnings }
}

function onCommandLine(operand: string): Mention {
  const specifier = isPath(operand) || !isFile(resolve(operand)) ? operand : `./${operand}`
  return { specifier, folders: [resolve()], path: '--component', replaces: true }
}

function* written(root: ConfigNode | undefined, faults: Fault[]): Generator<Mention> {
  const path = ['service', 'components']
  const node = root?.get(path)
  if (node === undefined || node.kind === 'null') return
  const items = node.kind === 'list' ? node.items : [node]
  for (const [index, item] of items.entries()) {
    const origin = item.origin ?? node.origin
    const place = { path: [...path, ...(node.kind === 'list' ? [index] : [])].join('::'), ...(origin && { origin }) }
    const specifier = toPlain(item)
    if (typeof specifier !== 'string' || specifier.trim() === '') {
      faults.push({
        ...place,
        message: `must be a path or the name of a package, got ${JSON.stringify(specifier)}`,
        code,
      })
    } else if (origin !== undefined && /^https?:/.test(origin.file)) {
      const message = `cannot load component "${specifier}" for a configuration that comes over the network: name it with --component`
      faults.push({ ...place, message, code })
    } else {
      yield { specifier, folders: foldersFor(origin), ...place, replaces: false }
    }
  }
}

/** The folder of the file that mentions it, then the working directory. */
function foldersFor(origin: Origin | undefined): string[] {
  const here = resolve()
  const file = origin === undefined ? undefined : resolve(origin.file)
  return file !== undefined && isFile(file) ? [...new Set([dirname(file), here])] : [here]
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function hint({ specifier, folders: [folder = '.'] }: Mention): string {
  return !isPath(specifier) && isFile(resolve(folder, specifier)) ? ` (did you mean "./${specifier}"?)` : ''
}

const SECTIONS = {
  receiver: 'receivers',
  processor: 'processors',
  exporter: 'exporters',
  connector: 'connectors',
  extension: 'extensions',
} as const

function add(
  distribution: Distribution,
  definition: Definition,
  file: string,
  mention: Mention,
  faults: Fault[],
  warnings: Warning[],
): Distribution {
  const section = SECTIONS[definition.kind]
  const present: readonly Definition[] = distribution[section]
  // A module may export one of ours once more, and a file may be named twice.
  if (present.some(one => one === Object.getPrototypeOf(definition))) return distribution
  const names = namesOf(definition)
  const clash = present.find(one => namesOf(one).some(name => names.includes(name)))
  if (clash?.source === file && clash.type === definition.type) return distribution
  if (clash !== undefined) {
    const name = names.find(one => namesOf(clash).includes(one))
    const whose = clash.source === undefined ? `${distribution.command} has one` : `${clash.source} defines one`
    const about = `component "${mention.specifier}" defines ${definition.kind} "${name}", and ${whose}`
    if (!mention.replaces || clash.source !== undefined) {
      const advice = clash.source === undefined ? ', or load it with --component to use it instead' : ''
      faults.push(faultAt(mention, `${about}: give it another type${advice}`))
      return distribution
    }
    warnings.push({ level: 'warn', message: `${about}: the one of ${file} is used` })
  }
  return { ...distribution, [section]: [...present.filter(one => one !== clash), definition] }
}

function namesOf({ type, aliases = [] }: Definition): readonly string[] {
  return [type, ...aliases]
}

function faultAt({ path, origin }: Mention, message: string): Fault {
  return { path, message, code, ...(origin === undefined ? {} : { origin }) }
}
