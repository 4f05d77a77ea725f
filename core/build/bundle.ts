import { basename, resolve } from 'node:path'
import type { BuildOptions, BuildResult, Metafile } from 'esbuild'
import { addressed, isWorker, type Worker } from './addressed-modules.ts'
import { type InstalledPackage, packageAround, staysOutside } from './installed-package.ts'
import { stableNames } from './stable-names.ts'

/** What a program is bundled from. */
export interface BundleRequest {
  /** The folder of the generated sources and of the bundle. */
  readonly folder: string
  /** Modules to write, by the name of the file without `.js`: their text, as if it stood in `folder`, or their path. */
  readonly entries: Readonly<Record<string, string>>
  /** Modules that are generated and not written yet, by absolute path. */
  readonly virtual: ReadonlyMap<string, string>
  /** The folder from which these see packages. */
  readonly home: string
  /** Packages that stay beside the bundle. */
  readonly external: readonly string[]
  readonly readable: boolean
}

/** A bundle: files by name, all in one folder, and what they were made from. */
export interface Bundle {
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Absolute paths of the modules whose code is in it. */
  readonly inputs: readonly string[]
  /** Packages that it needs and that are not in it. */
  readonly beside: readonly string[]
}

/** Bundling was impossible. The message says why, without full stop. */
export class NotBundled extends Error {
  override name = 'NotBundled'
}

/**
 * Puts everything that the entries reach into few JavaScript files; what nobody uses is left out. Threads have files of
 * their own, which are found through the addresses in the code.
 * @throws {NotBundled}
 */
export async function bundle(request: BundleRequest): Promise<Bundle> {
  const { build } = await loadEsbuild()
  let workers: readonly Worker[] = []
  let external = request.external
  for (;;) {
    const modules = addressed(request.virtual, request.home)
    const result = await run(build, { ...request, external }, workers, modules.plugin)
    const kept = inputsOf(result.metafile, request.folder)
    const needed = modules.workers.filter(worker => kept.includes(worker.usedBy))
    const outside = outsidePackages(kept)
    const files = kept.flatMap(path => modules.packages.get(path) ?? [])
    const allKnown = needed.every(({ file }) => workers.some(known => known.file === file))
    if (allKnown && outside.length === 0) return bundleOf(result, { ...request, external }, kept, files)
    workers = needed
    external = [...external, ...outside]
  }
}

type Result = BuildResult<{ readonly write: false; readonly metafile: true }>
type Esbuild = typeof import('esbuild')

async function loadEsbuild(): Promise<Esbuild> {
  try {
    return await import('esbuild')
  } catch (cause) {
    throw new NotBundled(
      'esbuild is needed to build a distribution and not installed: npm install --save-dev esbuild',
      {
        cause,
      },
    )
  }
}

/** CommonJS packages inside the bundle require the modules of Node. */
const BANNER = `import { createRequire as createRequireOfBundle } from 'node:module'
const require = createRequireOfBundle(import.meta.url)`

async function run(
  build: Esbuild['build'],
  { folder, entries, external, readable }: BundleRequest,
  workers: readonly Worker[],
  plugin: NonNullable<BuildOptions['plugins']>[number],
): Promise<Result> {
  try {
    return await build({
      absWorkingDir: folder,
      entryPoints: { ...entries, ...Object.fromEntries(workers.map(({ name, file }) => [name, file])) },
      outdir: folder,
      chunkNames: '[name]-[hash]',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      charset: 'utf8',
      legalComments: 'none',
      minify: !readable,
      keepNames: true,
      sourcemap: readable ? 'linked' : false,
      external: [...external],
      banner: { js: BANNER },
      plugins: [plugin],
      write: false,
      metafile: true,
      logLevel: 'silent',
    })
  } catch (cause) {
    const { errors } = cause as {
      readonly errors?: readonly { readonly text: string; readonly location: Place | null }[]
    }
    if (errors === undefined) throw cause
    const lines = errors.map(({ text, location }) => (location ? `${location.file}:${location.line}: ${text}` : text))
    throw new NotBundled(`cannot bundle the distribution:\n  ${lines.join('\n  ')}`, { cause })
  }
}

interface Place {
  readonly file: string
  readonly line: number
}

function inputsOf({ outputs }: Metafile, folder: string): string[] {
  const inputs = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  )
  return [...new Set(inputs)].map(path => absolute(path, folder)).sort()
}

function absolute(path: string, folder: string): string {
  return resolve(folder, path.replace(/^[a-z-]+:/, ''))
}

/** The packages among these files that cannot be bundled. */
function outsidePackages(files: readonly string[]): readonly string[] {
  const packages = new Map(files.flatMap(file => pairOf(packageAround(file))))
  return [...packages.values()].filter(staysOutside).map(({ manifest }) => manifest.name)
}

function pairOf(found: InstalledPackage | undefined): (readonly [string, InstalledPackage])[] {
  return found === undefined ? [] : [[found.folder, found]]
}

function bundleOf(
  { metafile, outputFiles }: Result,
  { entries, external }: BundleRequest,
  inputs: readonly string[],
  withFiles: readonly string[],
): Bundle {
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]))
  const fixed = [...Object.keys(entries), ...outputFiles.map(({ path }) => basename(path)).filter(isWorker)]
  // What is not installed and asked for in a `try` is external, too, and not needed.
  const imported = Object.values(metafile.outputs)
    .flatMap(output => output.imports)
    .map(each => packageName(each.path))
    .filter(name => external.includes(name))
  return {
    files: stableNames(files, new Set(fixed.map(name => (name.endsWith('.js') ? name : `${name}.js`)))),
    inputs,
    beside: [...new Set([...imported, ...withFiles])].sort(),
  }
}

/** `a` for `a/b`, `@a/b` for `@a/b/c`. */
function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
