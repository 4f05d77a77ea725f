import { existsSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the running program's own `package.json`. */
const PROGRAM = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * What a package in `folder` writes to depend on `millrace`: nothing where it is found already, this checkout where the
 * program runs from one, else the version.
 */
export function dependencyOn(folder: string, version: string, program = PROGRAM): string | undefined {
  if (isFound(folder)) return undefined
  const isInstalled = program.split(sep).includes('node_modules')
  return isInstalled ? `^${version}` : `file:${relative(folder, program).replaceAll(sep, '/') || '.'}`
}

/** Whether Node finds the package from here. */
function isFound(folder: string): boolean {
  if (existsSync(join(folder, 'node_modules/millrace/package.json'))) return true
  const above = dirname(folder)
  return above !== folder && isFound(above)
}
