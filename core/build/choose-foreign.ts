import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Definition } from '#core/component'
import { nearest } from '#core/config'
import { type ComponentModule, NotLoaded } from '#core/service'
import { type Choosing, type Chosen, faultAt, type Mention } from './mention.ts'
import { replacesOf } from './read-manifest.ts'

/** The components of a package or a local file that an entry names. They are loaded to see what they offer. */
export async function chooseForeign(mention: Mention, choosing: Choosing): Promise<readonly Chosen[]> {
  const { kind, entry } = mention
  const key = entry.path === undefined ? 'package' : 'path'
  const { specifier, fault } = sourceOf(entry, choosing)
  if (fault !== undefined) {
    choosing.faults.push(faultAt(mention, key, fault))
    return []
  }
  let module: ComponentModule
  try {
    module = await choosing.modules.load({ specifier, folders: [choosing.file.folder] })
  } catch (error) {
    if (!(error instanceof NotLoaded)) throw error
    choosing.faults.push(faultAt(mention, key, error.message))
    return []
  }
  const offered = module.definitions.filter(each => each.kind === kind)
  const taken = entry.name === undefined ? offered : offered.filter(each => each.type === entry.name)
  if (taken.length === 0) {
    const others = module.definitions.map(each => `${each.kind} "${each.type}"`).join(', ')
    const wanted = entry.name === undefined ? kind : `${kind} "${entry.name}"`
    const suggestion =
      entry.name &&
      nearest(
        entry.name,
        offered.map(each => each.type),
      )
    const message = `${specifier} exports no ${wanted}, only ${others}`
    choosing.faults.push(faultAt(mention, entry.name === undefined ? key : 'name', message, suggestion || undefined))
  }
  const path = entry.path === undefined && !replaced(packageOf(entry.package ?? ''), choosing) ? undefined : module.file
  return taken.map(definition => ({
    kind,
    definition,
    specifier: path ?? specifier,
    file: module.file,
    ...exportOf(definition, module),
  }))
}

type Entry = Mention['entry']

function sourceOf(entry: Entry, choosing: Choosing): { readonly specifier: string; readonly fault?: string } {
  const { folder } = choosing.file
  if (entry.path !== undefined) return { specifier: resolve(folder, entry.path) }
  const written = entry.package!
  const name = packageOf(written)
  const version = written.slice(name.length + 1)
  const replacement = replaced(name, choosing)
  if (replacement !== undefined) return { specifier: resolve(folder, replacement) }
  const specifier = entry.import ?? name
  const installed = installedVersion(name, folder)
  const command = `npm install ${written}`
  if (installed === undefined) {
    return { specifier, fault: `the package "${name}" is not installed beside the manifest: ${command}` }
  }
  if (version !== '' && version !== installed) {
    return {
      specifier,
      fault: `the version of "${name}" that is installed is ${installed}, not ${version}: ${command}`,
    }
  }
  return { specifier }
}

/** `@scope/name@1.2.3` without its version. */
export function packageOf(written: string): string {
  return /^(@[^/]+\/)?[^@]*/.exec(written)![0]
}

/** The folder that `replaces` puts in the place of a package. */
function replaced(name: string, { file: { node } }: Choosing): string | undefined {
  for (const line of replacesOf(node)) {
    const [from = '', to] = line.split('=>').map(part => part.trim())
    if (packageOf(from) === name) return to
  }
  return undefined
}

function installedVersion(name: string, folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, 'node_modules', name, 'package.json')
    if (existsSync(path)) return String(JSON.parse(readFileSync(path, 'utf8')).version)
    if (dirname(at) === at) return undefined
  }
}

/** By which export a definition is reached: itself, in a list, or among the members of a default. */
function exportOf(definition: Definition, { exports }: ComponentModule): Pick<Chosen, 'name' | 'member'> {
  const original = Object.getPrototypeOf(definition)
  const direct = Object.keys(exports).filter(name => exports[name] === original)
  const name = direct.find(each => each !== 'default') ?? direct[0]
  if (name !== undefined) return { name, member: '' }
  for (const [holder, value] of Object.entries(exports)) {
    const members = typeof value === 'object' && value !== null ? Object.entries(value) : []
    const member = members.find(([, each]) => each === original)?.[0]
    if (member !== undefined) return { name: holder, member: Array.isArray(value) ? `[${member}]` : `.${member}` }
  }
  throw new Error(`the export that holds ${definition.kind} "${definition.type}" cannot be told`)
}
