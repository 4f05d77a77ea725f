import { existsSync, statSync } from 'node:fs'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Clock, type Definition, errorPlace, framesOf, systemClock } from '#core/component'
import { definitionsIn } from './definitions-in.ts'
import { digest, type Generation, importGeneration } from './module-hooks.ts'

/** Where a component is to be found. */
export interface ComponentRequest {
  /** A path, absolute or beginning with `./` or `../`, or the name of a package. */
  readonly specifier: string
  /** Where to resolve it from: each is tried in turn. */
  readonly folders: readonly string[]
}

/** The components of a file or package. */
export interface ComponentModule {
  /** The file that the request led to. */
  readonly file: string
  /** The same objects as before while no local file behind them changes. */
  readonly definitions: readonly Definition[]
  /** Everything that the module exports; the prototypes of `definitions` are among it. */
  readonly exports: Readonly<Record<string, unknown>>
}

/** A file or package could not be taken for a component. The message says why, without full stop. */
export class NotLoaded extends Error {
  override name = 'NotLoaded'
}

interface Entry {
  readonly generation: Generation
  readonly result: Promise<ComponentModule>
  /** What failed is tried again: a package may have been installed since. */
  failed: boolean
}

/** Milliseconds that a module may take to be evaluated. */
const PATIENCE = 30_000

/** Components of files and packages, loaded once and again whenever one of their local files has changed. */
export class ComponentModules {
  readonly #entries = new Map<string, Entry>()
  readonly #clock: Clock

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
  }

  /** Every local file that was read so far for what was requested, whether or not it could be loaded. */
  filesOf(request: ComponentRequest): readonly string[] {
    const path = pathOf(request)
    const files = this.#entries.get(keyOf(request))?.generation.files.keys() ?? []
    return [...new Set([...(path === undefined ? [] : [path]), ...files])]
  }

  /** @throws {NotLoaded} */
  load(request: ComponentRequest): Promise<ComponentModule> {
    const key = keyOf(request)
    const known = this.#entries.get(key)
    if (known !== undefined && !known.failed && isFresh(known.generation)) return known.result
    const generation: Generation = { ...request, specifier: specifierOf(request), files: new Map() }
    const entry = { generation, result: this.#load(request, generation), failed: false }
    this.#entries.set(key, entry)
    entry.result.catch(() => {
      entry.failed = true
    })
    return entry.result
  }

  async #load({ specifier }: ComponentRequest, generation: Generation): Promise<ComponentModule> {
    let module: Readonly<Record<string, unknown>>
    try {
      module = await this.#inTime(importGeneration(generation))
    } catch (cause) {
      throw new NotLoaded(`cannot load component "${specifier}": ${describe(cause, generation)}`, { cause })
    }
    const file = generation.root!
    const { definitions, faults } = definitionsIn(module)
    if (faults.length > 0) throw new NotLoaded(`cannot load component "${specifier}": ${faults.join('; ')}`)
    if (definitions.length === 0) {
      throw new NotLoaded(`cannot load component "${specifier}": ${file} exports no component`)
    }
    return { file, definitions: definitions.map(definition => from(file, definition)), exports: module }
  }

  async #inTime<T>(loading: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>()
    const why = `it was not evaluated within ${PATIENCE / 1000} s`
    const timer = this.#clock.after(PATIENCE, () => late.reject(new Error(why)))
    try {
      return await Promise.race([loading, late.promise])
    } finally {
      timer.cancel()
    }
  }
}

/** The definition, knowing where it came from. One of our own that is exported once more stays what it is. */
function from(file: string, definition: Definition): Definition {
  return Object.create(definition, { source: { value: file, enumerable: true } }) as Definition
}

function keyOf({ specifier, folders }: ComponentRequest): string {
  return JSON.stringify([specifier, folders])
}

function isFresh({ files }: Generation): boolean {
  return files.size > 0 && [...files].every(([path, known]) => digest(path) === known)
}

/** Whether it is a path, not the name of a package. */
export function isPath(specifier: string): boolean {
  return /^\.{1,2}([\\/]|$)/.test(specifier) || isAbsolute(specifier)
}

function pathOf({ specifier, folders: [folder = '.'] }: ComponentRequest): string | undefined {
  if (!isPath(specifier)) return undefined
  const path = resolve(folder, specifier)
  if (!existsSync(path) || !statSync(path).isDirectory()) return path
  const names = ['index.ts', `${basename(path)}.ts`, 'index.js', 'index.mjs', `${basename(path)}.js`]
  return names.map(name => join(path, name)).find(existsSync) ?? path
}

/** As Node's resolution takes it. */
function specifierOf(request: ComponentRequest): string {
  const path = pathOf(request)
  return path === undefined ? request.specifier : pathToFileURL(path).href
}

/** What went wrong, with the place in the component's own files. */
function describe(error: unknown, { root, files, specifier, folders }: Generation): string {
  if (root === undefined && (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_MODULE_NOT_FOUND') {
    if (specifier.startsWith('file:')) return `there is no file ${fileURLToPath(specifier)}`
    return `there is no package of this name in ${folders.join(' or ')}`
  }
  if (!(error instanceof Error)) return `it threw ${JSON.stringify(error) ?? String(error)}`
  const own = root === undefined ? undefined : (placeIn(error, files) ?? errorPlace(error, root))
  const message = error.message.split('\n')[0]!.replaceAll(/\?millrace-component=\d+/g, '')
  const kind = error.name === 'Error' || 'code' in error ? '' : `${error.name}: `
  return `${kind}${message}${own === undefined ? '' : `, at ${own}`}`
}

/** The first line of the stack that is in one of these files. */
function placeIn(error: unknown, files: ReadonlyMap<string, string>): string | undefined {
  for (const { file, line, column } of framesOf(error)) {
    if (files.has(file)) return [file, line, ...(column === undefined ? [] : [column])].join(':')
  }
  return undefined
}
