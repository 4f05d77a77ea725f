import { glob } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { Definition, Distribution } from '#core/component'
import { printJson, type Warning } from '#core/config'
import { configurationSchema } from '#core/service'
import { type Bundle, bundle } from './bundle.ts'
import type { Choice } from './choose.ts'
import { componentList, quoted } from './component-list.ts'
import { defaultConfiguration } from './default-configuration.ts'
import { distributionReadme } from './distribution-readme.ts'
import { dockerfile, dockerignore } from './dockerfile.ts'
import { installedPackage } from './installed-package.ts'
import { type Locked, lockedTree } from './lock-file.ts'
import type { Manifest } from './manifest-schema.ts'
import type { Chosen } from './mention.ts'
import { notices } from './notices.ts'
import { defaultPorts } from './ports.ts'
import { EXTENSION, ownManifest, ROOT } from './program.ts'
import { LIST, programSource } from './program-source.ts'
import type { Described } from './read-manifest.ts'

/** A distribution that was built, not written yet. */
export interface Built {
  /** By path below the output folder. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** The packages beside the bundle. */
  readonly packages: readonly Locked[]
  readonly warnings: readonly Warning[]
}

/** The folder of the bundle. */
export const BUNDLE = 'lib'
const SCHEMES = ['env', 'file', 'http', 'https', 'yaml']

/**
 * Builds the distribution that a manifest describes: nothing but the components it names, and what these need.
 * @param out the folder that it will be written to; paths in the component list start there
 * @throws {ConfigError} when the default configuration cannot be used
 * @throws {NotBundled}
 */
export async function buildDistribution(file: Described, choice: Choice, out: string): Promise<Built> {
  const { dist, conf_resolver } = file.manifest
  const { components, schemes } = choice
  const distribution = distributionOf(components, dist)
  const config = await defaultConfiguration(file, distribution)
  const [hasConfig, readable] = [config !== undefined, dist.debug_compilation]
  const list = listOf(components, dist, out)
  const main = programSource({ schemes, defaultScheme: conf_resolver.default_uri_scheme, hasConfig, readable })
  const virtual = new Map([
    [join(out, LIST), list],
    [join(out, BUNDLE, 'main.ts'), main],
  ])
  const doors = await doorsForComponents()
  const bundled = await bundle({
    folder: join(out, BUNDLE),
    entries: { main: join(out, BUNDLE, 'main.ts'), ...Object.fromEntries(doors.map(door => [fileOf(door), door])) },
    virtual,
    home: file.folder,
    external: dist.external,
    readable,
  })
  const packages = packagesBeside(bundled, file.folder)
  const ports = config?.ports ?? defaultPortsOf(components)
  const own = ownManifest()
  const image = { name: dist.name, hasPackages: packages.length > 0, hasConfig, ports, node: nodeOf(own.engines.node) }
  const manifest = packageJson(dist, own.engines, packages, doors)
  const facts = {
    ...{ ...image, ...dist, schemes: schemes ?? SCHEMES },
    builder: `${own.name} ${own.version}`,
  }
  const texts: readonly (readonly [string, string])[] = [
    [LIST, list],
    ['package.json', printJson(manifest)],
    ['package-lock.json', printJson(packageLock(manifest, packages))],
    ['Dockerfile', dockerfile(image)],
    ['.dockerignore', dockerignore(image)],
    ['README.md', distributionReadme(components, facts)],
    ['config.schema.json', printJson(configurationSchema(distribution))],
    ['THIRD-PARTY-NOTICES.txt', notices(bundled.inputs)],
    ...(config === undefined ? [] : [['config.yaml', config.text] as const]),
  ]
  const code = [...bundled.files].map(([name, bytes]) => [`${BUNDLE}/${name}`, bytes] as const)
  return {
    files: new Map([...texts.map(([path, text]) => [path, Buffer.from(text)] as const), ...code]),
    packages,
    warnings: config?.warnings ?? [],
  }
}

type Dist = Manifest['dist']

function distributionOf(components: readonly Chosen[], { name, description, version }: Dist): Distribution {
  const of = <K extends Definition['kind']>(kind: K) =>
    components
      .map(each => each.definition)
      .filter((each): each is Extract<Definition, { kind: K }> => each.kind === kind)
  return {
    ...{ command: name, description, version },
    receivers: of('receiver'),
    processors: of('processor'),
    exporters: of('exporter'),
    connectors: of('connector'),
    extensions: of('extension'),
  }
}

function listOf(components: readonly Chosen[], { name, description, version }: Dist, out: string): string {
  const head = {
    ...{ constant: 'distribution', command: name, description, version: quoted(version), imports: [] },
    comment: `The components of ${name}.`,
    contracts: 'millrace/core/component',
    banner: 'Written by `millrace build`. Changes belong in its manifest.',
  }
  return componentList(components, head, ({ specifier, file }) => {
    if (specifier !== file) return specifier
    const path = relative(out, file).replaceAll(sep, '/')
    return path.startsWith('.') ? path : `./${path}`
  })
}

/**
 * What components from files import from us, when a configuration names some: the same modules that the bundle is made of,
 * so that there is one of each.
 */
async function doorsForComponents(): Promise<readonly string[]> {
  const doors: string[] = []
  for (const [door, target] of Object.entries(ownManifest().exports)) {
    if (target?.endsWith(EXTENSION) && !/[*]|^\.\/testing/.test(door)) doors.push(`millrace${door.slice(1)}`)
  }
  for await (const path of glob(`core/*/index${EXTENSION}`, { cwd: ROOT })) {
    const room = path.split(/[\\/]/)[1]!
    if (!CLOSED.includes(room)) doors.push(`millrace/core/${room}`)
  }
  return doors.sort()
}

/** Rooms that components have no use for. */
const CLOSED = ['build', 'library', 'pipeline', 'service', 'testing']

/** The file of a door in the bundle. */
function fileOf(door: string): string {
  return door.replaceAll('/', '-')
}

/** The packages that the bundle needs beside it, with all that these need. */
function packagesBeside({ beside, inputs }: Bundle, folder: string): readonly Locked[] {
  const places = [folder, ROOT, ...new Set(inputs.map(dirname))]
  const roots = beside.map(name => {
    const found = places.map(place => installedPackage(name, place)).find(each => each !== undefined)
    if (found === undefined) throw new Error(`the package "${name}", which the distribution needs, is not installed`)
    return found
  })
  return lockedTree(roots)
}

function defaultPortsOf(components: readonly Chosen[]): readonly number[] {
  const listening = components.filter(({ kind }) => kind === 'receiver' || kind === 'extension')
  return [...new Set(listening.flatMap(({ definition }) => defaultPorts(definition.config)))].sort((a, b) => a - b)
}

function nodeOf(range: string): number {
  return Number(/\d+/.exec(range)?.[0] ?? 24)
}

function packageJson(
  { name, version, description }: Dist,
  engines: object,
  packages: readonly Locked[],
  doors: readonly string[],
) {
  const top = packages.filter(({ root }) => root)
  return {
    ...{ name: name.toLowerCase(), version, description, private: true, type: 'module', engines },
    bin: { [name]: `./${BUNDLE}/main.js` },
    imports: Object.fromEntries(doors.map(door => [`#${door}`, `./${BUNDLE}/${fileOf(door)}.js`])),
    dependencies: Object.fromEntries(top.map(({ path, entry }) => [path.slice('node_modules/'.length), entry.version])),
  }
}

function packageLock(manifest: ReturnType<typeof packageJson>, packages: readonly Locked[]) {
  const { name, version, bin, dependencies, engines } = manifest
  return {
    ...{ name, version, lockfileVersion: 3, requires: true },
    packages: {
      '': { name, version, dependencies, bin, engines },
      ...Object.fromEntries(packages.map(({ path, entry }) => [path, entry])),
    },
  }
}
