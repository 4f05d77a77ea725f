import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { blank, type Import, importsOf } from './scan.ts'

/** A source file as the rules see it. */
export interface Source {
  /** From the root, with forward slashes. */
  readonly path: string
  readonly text: string
  /** The text without comments and without the contents of literals. */
  readonly code: string
  readonly imports: readonly ResolvedImport[]
  /** `core/<room>`, `<kind>s/<type>`, `distributions/<name>`, or `test`. */
  readonly home: string
  /** Tests and what only tests use. */
  readonly test: boolean
}

export interface ResolvedImport extends Import {
  /** The path of the file meant, or the name of the package or built-in module. */
  readonly target: string
  /** Whether `target` is a path of this repository. */
  readonly own: boolean
}

export const COMPONENT_FOLDERS = ['receivers', 'processors', 'exporters', 'connectors', 'extensions']
const FOLDERS = ['core', ...COMPONENT_FOLDERS, 'distributions', 'config', 'test']

/** Every TypeScript source of the repository at `root`. */
export function readTree(root: string): Source[] {
  return FOLDERS.flatMap(folder => globSync(`${folder}/**/*.ts`, { cwd: root }))
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => !/(^|\/)(testdata|node_modules|dist)\//.test(path))
    .sort()
    .map(path => parseSource(path, readFileSync(join(root, path), 'utf8')))
}

/** A source from its path and text. */
export function parseSource(path: string, text: string): Source {
  const code = blank(text)
  const imports = importsOf(text, code).map(each => ({ ...each, ...resolve(path, each.specifier) }))
  return { path, text, code, imports, home: homeOf(path), test: isTest(path) }
}

/** The room or component that owns a path. */
export function homeOf(path: string): string {
  const [first, second] = path.split('/') as [string, string | undefined]
  return first === 'test' || second === undefined ? first : `${first}/${second}`
}

/** Tests may reach where the product may not: into components, other rooms, and any library. */
export function isTest(path: string): boolean {
  return /\.(test|test-support|bench)\.ts$/.test(path) || path.startsWith('core/testing/') || path.startsWith('test/')
}

export function isComponent(path: string): boolean {
  return COMPONENT_FOLDERS.some(folder => path.startsWith(`${folder}/`))
}

function resolve(from: string, specifier: string): { target: string; own: boolean } {
  if (specifier.startsWith('#')) return { target: `${specifier.slice(1)}/index.ts`, own: true }
  if (specifier.startsWith('.')) return { target: posix.join(posix.dirname(from), specifier), own: true }
  if (specifier.startsWith('node:')) return { target: specifier.split('/')[0]!, own: false }
  return {
    target: specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/'),
    own: false,
  }
}
