import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type InstalledPackage, installedPackage, type PackageManifest } from './installed-package.ts'

/** An entry of a lock file: what npm knows of a package without asking a registry. */
export interface LockEntry {
  readonly version: string
  readonly [key: string]: unknown
}

/** A package of the tree that a distribution installs. */
export interface Locked {
  /** Where it is installed: `node_modules/lmdb`. */
  readonly path: string
  readonly entry: LockEntry
  /** Where it lies now; absent when it is for another platform. */
  readonly folder: string | undefined
  /** Whether the distribution asks for it itself. */
  readonly root: boolean
}

/**
 * The tree of packages that these need, as they are installed here, at exact versions. Nothing is asked of a registry:
 * what the present lock file says of them is taken over, what it does not say is read from the packages.
 */
export function lockedTree(roots: readonly InstalledPackage[]): readonly Locked[] {
  const tree = new Map<string, Locked>()
  interface Visit {
    readonly at: string
    readonly wanted: Wanted
  }
  const queue: Visit[] = roots.map(found => ({ at: '', wanted: { found, name: found.manifest.name, optional: false } }))
  for (let visit = queue.shift(); visit !== undefined; visit = queue.shift()) {
    const { at, wanted } = visit
    const entry = entryOf(wanted)
    const present = inReach(tree, at, wanted.name)
    const known = present !== undefined && present.entry.version === entry?.version
    if (entry === undefined || (known && (wanted.optional || present.entry.optional !== true))) continue
    const path = known
      ? present.path
      : `${present === undefined || at === '' ? '' : `${at}/`}node_modules/${wanted.name}`
    tree.set(path, {
      path,
      entry: wanted.optional ? { ...entry, optional: true } : entry,
      folder: wanted.found?.folder,
      root: at === '',
    })
    if (wanted.found) queue.push(...neededBy(wanted.found, wanted.optional).map(next => ({ at: path, wanted: next })))
  }
  return [...tree.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

interface Wanted {
  readonly name: string
  readonly found: InstalledPackage | undefined
  /** Of whom it is wanted and how, when it is not installed. */
  readonly by?: InstalledPackage
  readonly optional: boolean
}

function neededBy(by: InstalledPackage, optional: boolean): Wanted[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta } = by.manifest
  const peers = Object.keys(peerDependencies).filter(name => peerDependenciesMeta?.[name]?.optional !== true)
  const maybe = Object.keys(optionalDependencies)
  const always = [...Object.keys(dependencies), ...peers].filter(name => !maybe.includes(name))
  const wanted = (name: string, isOptional: boolean): Wanted => ({
    name,
    found: installedPackage(name, by.folder),
    by,
    optional: isOptional,
  })
  return [...always.map(name => wanted(name, optional)), ...maybe.map(name => wanted(name, true))].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )
}

/** What a package at `at` finds under `name`. */
function inReach(tree: ReadonlyMap<string, Locked>, at: string, name: string): Locked | undefined {
  for (let from = at; ; from = from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/')))) {
    const found = tree.get(`${from === '' ? '' : `${from}/`}node_modules/${name}`)
    if (found !== undefined || from === '') return found
  }
}

/** What is known of a package; `undefined` when it is optional and nothing is. */
function entryOf({ name, found, by, optional }: Wanted): LockEntry | undefined {
  if (found !== undefined) return clean(inLock(found) ?? fromManifest(found.manifest))
  const locked = by && besideInLock(by, name)
  if (locked !== undefined) return clean(locked)
  const exact = by?.manifest.optionalDependencies?.[name]
  if (optional) return exact !== undefined && /^\d+\.\d+\.\d+\S*$/.test(exact) ? { version: exact } : undefined
  throw new Error(`the package "${name}", which ${by?.manifest.name} needs, is not installed`)
}

/** Fields of an entry that say where it stood, or where it came from when that is the registry. */
const OF_ITS_PLACE = ['dev', 'devOptional', 'optional', 'peer', 'extraneous', 'inBundle', 'resolved', 'link', 'name']

function clean(entry: LockEntry): LockEntry {
  const kept = Object.entries(entry).filter(([key]) => !OF_ITS_PLACE.includes(key))
  const from =
    typeof entry.resolved === 'string' && entry.resolved.startsWith('git') ? { resolved: entry.resolved } : {}
  return { ...Object.fromEntries(kept), ...from } as LockEntry
}

/** As npm would write it, without what only the registry knows. */
function fromManifest(manifest: PackageManifest): LockEntry {
  const { name, version, license, bin, dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
    manifest
  const { engines, os, cpu, libc } = manifest
  const maybe = Object.keys(optionalDependencies ?? {})
  const always = Object.entries(dependencies ?? {}).filter(([each]) => !maybe.includes(each))
  const fields = {
    version,
    license: typeof license === 'string' ? license : undefined,
    dependencies: always.length > 0 ? Object.fromEntries(always) : undefined,
    bin: typeof bin === 'string' ? { [name.split('/').at(-1)!]: bin } : bin,
    ...{ engines, os, cpu, libc, optionalDependencies, peerDependencies, peerDependenciesMeta },
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as LockEntry
}

interface Place {
  readonly packages: Readonly<Record<string, LockEntry>>
  readonly key: string
}

/** The lock files that speak of a folder, the nearest to the whole project first, and its key in them. */
function* placesOf(folder: string): Iterable<Place> {
  const path = folder.replaceAll('\\', '/')
  for (let end = path.indexOf('/node_modules/'); end >= 0; end = path.indexOf('/node_modules/', end + 1)) {
    const root = path.slice(0, end)
    for (const file of [join(root, 'package-lock.json'), join(root, 'node_modules/.package-lock.json')]) {
      const packages = existsSync(file)
        ? (JSON.parse(readFileSync(file, 'utf8')).packages as Place['packages'])
        : undefined
      if (packages !== undefined) yield { packages, key: path.slice(end + 1) }
    }
  }
}

function inLock({ folder, manifest }: InstalledPackage): LockEntry | undefined {
  for (const { packages, key } of placesOf(folder)) {
    if (packages[key]?.version === manifest.version) return packages[key]
  }
  return undefined
}

/** What a lock file says of a package that `by` would find. */
function besideInLock(by: InstalledPackage, name: string): LockEntry | undefined {
  for (const { packages, key } of placesOf(by.folder)) {
    for (let from = `${key}/`; ; from = from.slice(0, from.slice(0, -1).lastIndexOf('node_modules/'))) {
      const entry = packages[`${from}node_modules/${name}`]
      if (entry !== undefined) return entry
      if (!from.includes('node_modules/')) break
    }
  }
  return undefined
}
