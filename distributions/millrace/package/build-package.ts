import { execFile } from 'node:child_process'
import { chmod, cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, matchesGlob } from 'node:path'
import { promisify } from 'node:util'
import { manifestOf, type SourceManifest } from './manifest-of.ts'
import { rewriteImports } from './rewrite-imports.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../../..')
const FOLDERS = ['core', 'receivers', 'processors', 'exporters', 'connectors', 'extensions', 'distributions', 'config']
/** What is needed at run time and is no source: documents, examples, schemas. */
const LEFT_OUT = [
  '**/*.ts',
  '**/testdata/**',
  '**/node_modules/**',
  '**/Dockerfile',
  '**/kubernetes.yaml',
  'core/decisions/**',
  'distributions/millrace/package/**',
]

/** How the package is built. */
export interface BuildOptions {
  /** Whether types are checked, too. Default: yes; a faulty source is not packed then. */
  readonly check?: boolean
}

/**
 * Writes the package that is published to the folder `out`, which is emptied before: JavaScript and typings of all
 * sources but tests, assets, a manifest whose `imports` and `exports` lead there, README and LICENSE.
 * @throws {Error} with the compiler's output when a source has faults
 */
export async function buildPackage(out: string, { check = true }: BuildOptions = {}): Promise<void> {
  await rm(out, { recursive: true, force: true })
  await compile(out, check)
  await copyAssets(out)
  const source = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as SourceManifest
  const manifest = manifestOf(source)
  await writeFile(join(out, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
  for await (const path of glob('**/*.{js,d.ts}', { cwd: out })) await rewrite(join(out, path))
  for (const program of Object.values(manifest.bin)) await chmod(join(out, program), 0o755)
}

async function compile(out: string, check: boolean): Promise<void> {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const project = join(import.meta.dirname, 'tsconfig.json')
  const args = [tsc, '-p', project, '--outDir', out, ...(check ? ['--noEmitOnError'] : ['--noCheck'])]
  try {
    await run(process.execPath, args, { cwd: ROOT, maxBuffer: 1 << 26 })
  } catch (cause) {
    throw new Error(`Could not compile the package:\n${(cause as { readonly stdout?: string }).stdout}`, { cause })
  }
}

async function copyAssets(out: string): Promise<void> {
  for (const folder of FOLDERS) {
    for await (const entry of glob(`${folder}/**/*`, { cwd: ROOT, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name).slice(ROOT.length + 1)
      if (!entry.isFile() || LEFT_OUT.some(pattern => matchesGlob(path, pattern))) continue
      await mkdir(dirname(join(out, path)), { recursive: true })
      await cp(join(ROOT, path), join(out, path))
    }
  }
  await cp(join(ROOT, 'LICENSE'), join(out, 'LICENSE'))
  await cp(join(import.meta.dirname, 'README.md'), join(out, 'README.md'))
}

async function rewrite(path: string): Promise<void> {
  const text = await readFile(path, 'utf8')
  const rewritten = rewriteImports(text)
  if (rewritten !== text) await writeFile(path, rewritten)
}
