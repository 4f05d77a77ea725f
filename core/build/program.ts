import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'

/** The folder of the package that this program is: sources in the repository, JavaScript once published. */
export const ROOT = join(import.meta.dirname, '../..')
/** What source files end with here. */
export const EXTENSION = extname(import.meta.filename)

/** What is read of the package's own manifest. */
export interface OwnManifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly engines: { readonly node: string }
  readonly exports: Readonly<Record<string, string | null>>
}

export function ownManifest(): OwnManifest {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
}

/** The file behind a door of the package, for example `millrace/core/config`. @throws when there is no such door */
export function ownDoor(specifier: string): string {
  return createRequire(import.meta.url).resolve(specifier)
}
