import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, extname, isAbsolute, join, resolve, sep } from 'node:path'
import type { Loader, Plugin } from 'esbuild'
import { asModule, isCommonJs } from './common-js.ts'
import { ownDoor, ROOT } from './program.ts'

/** A module that is not imported but addressed, `new URL('./worker.js', import.meta.url)`, to run in a thread. */
export interface Worker {
  readonly file: string
  /** Of its file in the bundle, without `.js`. */
  readonly name: string
  /** The module with the address. */
  readonly usedBy: string
}

/** How modules are found and read for a bundle, and what was seen on the way. */
export interface Addressed {
  readonly plugin: Plugin
  readonly workers: readonly Worker[]
  /** Packages whose files are read at run time, by the module that does. */
  readonly packages: ReadonlyMap<string, string>
}

/**
 * Finds our own doors (`millrace/…`), reads generated modules from memory, and turns what a bundler does not follow into
 * what it does: addresses of modules lead to files beside the bundle, modules required late are bundled.
 * @param home the folder from which generated modules see packages
 */
export function addressed(virtual: ReadonlyMap<string, string>, home: string): Addressed {
  const workers: Worker[] = []
  const packages = new Map<string, string>()
  const rewrite = (text: string, path: string) => {
    if (!text.includes('import.meta')) return text
    return text
      .replace(CREATED_REQUIRE, 'require($1)')
      .replace(ADDRESS, (whole, _, literal: string | undefined, stem: string | undefined) => {
        const file = resolve(dirname(path), literal ?? `${stem}${extname(path)}`)
        if (!existsSync(file)) return whole
        const name = nameOf(file)
        workers.push({ file, name, usedBy: path })
        return `new URL('./${name}.js', import.meta.url)`
      })
  }
  const plugin: Plugin = {
    name: 'millrace',
    setup(build) {
      build.onResolve({ filter: /^millrace(\/|$)/ }, ({ path }) => ({ path: ownDoor(path) }))
      build.onResolve({ filter: /^[^./#]/ }, ({ path, importer, kind, pluginData }) => {
        if (!virtual.has(importer) || pluginData === FROM_HOME) return undefined
        return build.resolve(path, { kind, importer, resolveDir: home, pluginData: FROM_HOME })
      })
      build.onResolve({ filter: /^\.{0,2}\// }, ({ path, importer, resolveDir }) => {
        const file = resolve(resolveDir, path)
        return virtual.has(file) || virtual.has(importer) || isAbsolute(path) ? { path: file } : undefined
      })
      build.onResolve({ filter: /^[^./#]/ }, async ({ path, importer, kind, resolveDir, pluginData }) => {
        if (kind !== 'dynamic-import' || pluginData === AS_IT_IS) return undefined
        const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: AS_IT_IS })
        const late =
          !found.external && found.errors.length === 0 && found.namespace === 'file' && isCommonJs(found.path)
        return late ? { path: found.path, namespace: COMMON_JS } : found
      })
      build.onLoad({ filter: /.*/, namespace: COMMON_JS }, async ({ path }) => ({
        contents: await asModule(path),
        resolveDir: dirname(path),
      }))
      build.onLoad({ filter: /[\\/]package\.json$/ }, async ({ path }) =>
        path === join(ROOT, 'package.json') ? { contents: await shortManifest(path), loader: 'json' } : undefined,
      )
      build.onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path }) => {
        const text = virtual.get(path) ?? (await readFile(path, 'utf8'))
        const file = FILES_OF_PACKAGE.exec(text)
        if (file !== null) packages.set(path, constantIn(text, file[1]!))
        return { contents: rewrite(text, path), loader: loaderOf(path), resolveDir: dirname(path) }
      })
    },
  }
  return { plugin, workers, packages }
}

/** Mark what is resolved once more. */
const [FROM_HOME, AS_IT_IS] = ['from home', 'as it is']
/** Where modules stand in for CommonJS ones that are imported late. */
const COMMON_JS = 'commonjs'

/** `createRequire(import.meta.url)('x')` */
const CREATED_REQUIRE = /\bcreateRequire\(import\.meta\.url\)\(((['"])[^'"\n]+\2)\)/g
/** `createRequire(import.meta.url).resolve(x)` */
const FILES_OF_PACKAGE = /\bcreateRequire\(import\.meta\.url\)\.resolve\(([^)\n]+)\)/
/** `new URL('./x.js', import.meta.url)`, and the same with the extension of the module itself. */
const ADDRESS =
  /\bnew URL\(\s*(?:(['"])([^'"\n]+\.[cm]?[jt]s)\1|`([^`$\n]+)\$\{extname\(import\.meta\.filename\)\}`),\s*import\.meta\.url,?\s*\)/g

/** A text written where it is used or in a constant of the module. */
function constantIn(text: string, expression: string): string {
  const literal = /^(['"])(.*)\1$/.exec(expression)?.[2]
  return literal ?? new RegExp(`\\bconst ${expression} = (['"])(.*?)\\1`).exec(text)?.[2] ?? expression
}

/** What a program reads of our own manifest. The rest tells of packages that are not in the bundle. */
async function shortManifest(path: string): Promise<string> {
  const { name, version } = JSON.parse(await readFile(path, 'utf8'))
  return JSON.stringify({ name, version })
}

const WORKER = 'worker-'

/** Whether a file of a bundle is there for a thread. */
export function isWorker(name: string): boolean {
  return name.startsWith(WORKER)
}

/** The last three words of the path: enough to tell workers apart, and the same wherever they lie. */
function nameOf(file: string): string {
  const words = file.slice(0, -extname(file).length).split(sep).slice(-3)
  return WORKER + words.join('-').replaceAll(/[^\w-]/g, '_')
}

function loaderOf(path: string): Loader {
  return /\.[cm]?ts$/.test(path) ? 'ts' : 'js'
}
