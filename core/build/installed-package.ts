import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

/** What is read of the manifest of an installed package. */
export interface PackageManifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly bin?: string | Readonly<Record<string, string>>
  readonly engines?: unknown
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}

/** A package as it lies in some `node_modules`. */
export interface InstalledPackage {
  /** Without links. */
  readonly folder: string
  readonly manifest: PackageManifest
}

/** The package `name` as a module in `folder` would find it; `undefined` when it is not installed. */
export function installedPackage(name: string, folder: string): InstalledPackage | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, 'node_modules', name)
    if (existsSync(join(found, 'package.json'))) return packageIn(realpathSync(found))
    if (dirname(at) === at) return undefined
  }
}

/** The package that the file of a module belongs to; `undefined` outside of `node_modules`. */
export function packageAround(file: string): InstalledPackage | undefined {
  const mark = `${sep}node_modules${sep}`
  const start = file.lastIndexOf(mark)
  if (start < 0) return undefined
  const words = file.slice(start + mark.length).split(sep)
  const name = words.slice(0, words[0]!.startsWith('@') ? 2 : 1).join(sep)
  return packageIn(file.slice(0, start + mark.length) + name)
}

function packageIn(folder: string): InstalledPackage | undefined {
  const path = join(folder, 'package.json')
  return existsSync(path) ? { folder, manifest: JSON.parse(readFileSync(path, 'utf8')) } : undefined
}

const NATIVE =
  /^(node-gyp-build|node-gyp-build-optional-packages|prebuild-install|bindings|node-addon-api|@mapbox\/node-pre-gyp)$/
/** These start threads or read files beside their own modules. */
const BESIDE = ['piscina']

/** Whether a package cannot be put into a bundle: it has machine code, or needs its own files. */
export function staysOutside({ folder, manifest }: InstalledPackage): boolean {
  const { name, dependencies, optionalDependencies } = manifest
  const needed = Object.keys({ ...dependencies, ...optionalDependencies })
  return BESIDE.includes(name) || needed.some(each => NATIVE.test(each)) || existsSync(join(folder, 'binding.gyp'))
}
