import { execFile } from 'node:child_process'
import { cp, glob, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { buildPackage } from '../../distributions/millrace/package/build-package.ts'

export const ROOT = join(import.meta.dirname, '../..')
const MODULES = join(ROOT, 'node_modules')
const EXAMPLES = join(import.meta.dirname, 'examples')
const execute = promisify(execFile)

/** A project that has installed the package, and nothing of the repository. */
export interface Project {
  readonly path: string
  /** Files of the package, as packed. */
  readonly files: readonly string[]
  /** Runs a program of the project with Node. @returns what it printed */
  node(...args: readonly string[]): Promise<string>
}

/**
 * Builds, packs and installs the package into an empty project in `dir`, as npm would: the archive is extracted, and the
 * packages that its manifest names, no others, are linked beside it, so that no registry is needed.
 */
export async function installPackage(dir: string): Promise<Project> {
  const [dist, path] = [join(dir, 'dist'), join(dir, 'a project')]
  await buildPackage(dist, { check: false })
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const { stdout } = await execute(npm, ['pack', dist, '--json', '--pack-destination', dir], { cwd: dir })
  const [{ filename, files }] = JSON.parse(stdout)
  const installed = join(path, 'node_modules/millrace')
  await mkdir(installed, { recursive: true })
  await execute('tar', ['-xzf', join(dir, filename), '-C', installed, '--strip-components', '1'])
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  for (const name of [...Object.keys(manifest.dependencies), '@types/node', 'vitest']) await link(name, path)
  await writeFile(join(path, 'package.json'), JSON.stringify({ type: 'module' }))
  await writeFile(join(path, 'vitest.config.js'), 'export default {}')
  return {
    path,
    files: files.map((file: { readonly path: string }) => file.path),
    async node(...args) {
      const { NODE_OPTIONS: _, ...env } = process.env
      return (await execute(process.execPath, args, { cwd: path, env: { ...env, CI: '1' }, maxBuffer: 1 << 24 })).stdout
    },
  }
}

async function link(name: string, project: string): Promise<void> {
  const target = join(project, 'node_modules', name)
  await mkdir(dirname(target), { recursive: true })
  await symlink(join(MODULES, name), target, 'junction')
}

/** Puts the examples into the project: in `typescript` as they are, in `javascript` without their types. */
export async function addExamples({ path }: Project): Promise<void> {
  await cp(EXAMPLES, join(path, 'typescript'), { recursive: true })
  await mkdir(join(path, 'javascript'))
  for await (const file of glob('*.ts', { cwd: EXAMPLES })) {
    const source = await readFile(join(EXAMPLES, file), 'utf8')
    const code = stripTypeScriptTypes(source).replaceAll(/(['"]\.\/[\w.-]+)\.ts(['"])/g, '$1.js$2')
    await writeFile(join(path, 'javascript', file.replace(/\.ts$/, '.js')), code)
  }
}

/** Puts each TypeScript example of the READMEs into a file of its own, and gives their number. */
export async function addSnippets({ path }: Project): Promise<number> {
  const files = ['distributions/millrace/package/README.md', 'core/library/README.md']
  const texts = await Promise.all(files.map(file => readFile(join(ROOT, file), 'utf8')))
  const snippets = texts.flatMap(text => [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => code!))
  for (const [i, code] of snippets.entries()) await writeFile(join(path, 'typescript', `readme-${i}.ts`), code)
  return snippets.length
}

/** The doors of the package: every subpath that its manifest exports and that leads to a module. */
export async function doorsOf({ path }: Project): Promise<readonly string[]> {
  const installed = join(path, 'node_modules/millrace')
  const { exports } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | null>>
  }
  const doors: string[] = []
  for (const [door, target] of Object.entries(exports)) {
    if (!target?.endsWith('.js')) continue
    if (!target.includes('*')) doors.push(door)
    for await (const file of target.includes('*') ? glob(target, { cwd: installed }) : []) {
      const name = dirname(file).split(/[\\/]/).at(-1)!
      const subpath = door.replace('*', name)
      if (exports[subpath] !== null) doors.push(subpath)
    }
  }
  return doors.map(door => `millrace${door.slice(1)}`).sort()
}

/** Checks every TypeScript file of the project as strictly as there is, typings of the packages included. */
export async function typeCheck({ path }: Project, more: object = {}): Promise<string> {
  const compilerOptions = {
    ...{ strict: true, skipLibCheck: false, noEmit: true, module: 'nodenext', target: 'es2024', types: ['node'] },
    ...{ allowImportingTsExtensions: true, ...more },
  }
  await writeFile(join(path, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['typescript', 'doors.ts'] }))
  const tsc = join(MODULES, 'typescript/bin/tsc')
  try {
    await execute(process.execPath, [tsc, '-p', path, '--pretty', 'false'], { cwd: path, maxBuffer: 1 << 24 })
    return ''
  } catch (error) {
    return (error as { readonly stdout: string }).stdout
  }
}
