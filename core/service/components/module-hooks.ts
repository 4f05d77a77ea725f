import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** One import of a component with all local files that it brings in. */
export interface Generation {
  /** As written: a path or the name of a package. */
  readonly specifier: string
  /** Folders to resolve it from, one after the other. */
  readonly folders: readonly string[]
  /** What its files held when they were read, as digests by path. */
  readonly files: Map<string, string>
  /** The module that the specifier led to. */
  root?: string
}

/** Node keeps modules for the life of the process, so generations are told apart by number, whoever asks for them. */
const generations: Generation[] = []
let hooked = false

/**
 * Imports the module of a component, and its local files, as new ones, whatever was imported before. Inside, `millrace`
 * and its subpaths are this program's own modules, wherever the file lies: a second copy would not know our errors,
 * payloads and drafts. TypeScript is stripped of its types also in packages.
 * @throws whatever the module throws, and what Node says when it cannot be found or parsed
 */
export async function importGeneration(generation: Generation): Promise<Readonly<Record<string, unknown>>> {
  if (!hooked) registerHooks({ resolve, load })
  hooked = true
  const number = generations.push(generation) - 1
  const { load: native } = await import(NATIVE_IMPORT)
  return native(`${SCHEME}${number}`)
}

/** Node's own `import`, also where a bundler or a test runner puts another in its place. */
const NATIVE_IMPORT = 'data:text/javascript,export const load = specifier => import(specifier)'

/** A digest of what a file holds; `undefined` when it cannot be read. */
export function digest(path: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('base64')
  } catch {
    return undefined
  }
}

const SCHEME = 'millrace-component:'
const MARK = 'millrace-component'
const MARKED = new RegExp(`[?&]${MARK}=(\\d+)`)
/** Dependencies that components brought in: their imports of `millrace` are answered in the same way. */
const reached = new Set<string>()

type Resolve = NonNullable<Parameters<typeof registerHooks>[0]['resolve']>
type Load = NonNullable<Parameters<typeof registerHooks>[0]['load']>

function resolve(...[specifier, context, next]: Parameters<Resolve>): ReturnType<Resolve> {
  if (specifier.startsWith(SCHEME)) {
    const number = specifier.slice(SCHEME.length)
    const generation = generations[Number(number)]!
    const found = fromFolders(generation, folder => next(generation.specifier, { ...context, parentURL: folder }))
    generation.root = pathOf(found.url)
    return marked(found, number)
  }
  const { parentURL = '' } = context
  const number = MARKED.exec(parentURL)?.[1]
  if (number === undefined && !reached.has(parentURL)) return next(specifier, context)
  if (/^millrace(\/|$)/.test(specifier)) return ownModule(specifier, context, next)
  const found = next(specifier, context)
  if (number !== undefined && /^\.{0,2}\//.test(specifier) && found.url.startsWith('file:'))
    return marked(found, number)
  reached.add(found.url)
  return found
}

function fromFolders<T>({ folders }: Generation, attempt: (folder: string) => T): T {
  let first: unknown
  for (const folder of folders) {
    try {
      return attempt(pathToFileURL(`${folder}${sep}`).href)
    } catch (error) {
      first ??= error
    }
  }
  throw first
}

function marked<T extends { readonly url: string }>(found: T, number: string): T {
  const url = `${strippable(found.url)}${found.url.includes('?') ? '&' : '?'}${MARK}=${number}`
  return { ...found, url, shortCircuit: true }
}

/**
 * Node strips no types below `node_modules`, so that nobody publishes TypeScript by mistake. Components are published so
 * on purpose: their addresses spell the folder in another way.
 */
function strippable(url: string): string {
  return /\.m?ts$/.test(url) ? url.replaceAll('/node_modules/', '/node%5Fmodules/') : url
}

/**
 * `#millrace/…` first: a program built into one bundle offers its modules under that name in its manifest. Otherwise this
 * file is inside the package `millrace`, which may name itself.
 */
function ownModule(...[specifier, context, next]: Parameters<Resolve>): ReturnType<Resolve> {
  const own = { ...context, parentURL: import.meta.url }
  try {
    return next(`#${specifier}`, own)
  } catch {
    // Not a bundle.
  }
  try {
    return next(specifier, own)
  } catch (cause) {
    throw new Error(`this program has no module "${specifier}"`, { cause })
  }
}

function load(...[url, context, next]: Parameters<Load>): ReturnType<Load> {
  const number = MARKED.exec(url)?.[1]
  if (number === undefined || !url.startsWith('file:')) return next(url, context)
  const path = pathOf(url)
  generations[Number(number)]!.files.set(path, digest(path) ?? '')
  if (!/\.m?ts$/.test(path)) return next(url, context)
  // A folder without a manifest says nothing of its format: a component is an ES module.
  return next(url, { ...context, format: 'module-typescript' })
}

function pathOf(url: string): string {
  return fileURLToPath(url.replace(/[?#].*$/, ''))
}
