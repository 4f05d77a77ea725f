import { globSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseYaml } from '#core/config'
import type { Convention } from './convention.ts'

type Tree = { readonly [key: string]: unknown }

/** Files of a registry directory that hold no definitions. */
const NO_DEFINITIONS = new Set(['manifest.yaml', 'registry_manifest.yaml', 'schema-next.yaml'])

/**
 * Reads the registries at `paths`: files, or directories with YAML files below them, in the format with `groups` or in
 * `definition/2`.
 * @throws {Error} naming the file that cannot be read
 */
export function readRegistryConventions(paths: readonly string[]): Convention[] {
  return paths.flatMap(path => filesOf(path).flatMap(readFile))
}

function filesOf(path: string): string[] {
  let directory: boolean
  try {
    directory = statSync(path).isDirectory()
  } catch (error) {
    throw new Error(`Cannot read the registry at ${path}: ${error instanceof Error ? error.message : error}`)
  }
  if (!directory) return [path]
  const files = globSync('**/*.{yaml,yml}', { cwd: path }).sort()
  return files.filter(file => !NO_DEFINITIONS.has(basename(file))).map(file => join(path, file))
}

function readFile(file: string): Convention[] {
  try {
    const root = parseYaml(readFileSync(file, 'utf8')) as Tree | null
    return [...conventionsOf(root ?? {})]
  } catch (error) {
    throw new Error(`Cannot read the registry at ${file}: ${error instanceof Error ? error.message : error}`)
  }
}

function* conventionsOf(root: Tree): Iterable<Convention> {
  for (const group of listOf(root.groups)) yield* conventionsOfGroup(group)
  for (const attribute of listOf(root.attributes)) yield* attributeOf(attribute, attribute.key)
  for (const metric of listOf(root.metrics)) yield* metricOf(metric, metric.name)
  for (const event of listOf(root.events)) yield* eventOf(event, event.name)
}

function* conventionsOfGroup(group: Tree): Iterable<Convention> {
  const prefix = typeof group.prefix === 'string' && group.prefix !== '' ? `${group.prefix}.` : ''
  for (const attribute of listOf(group.attributes)) {
    if (typeof attribute.id === 'string') yield* attributeOf(attribute, `${prefix}${attribute.id}`)
  }
  if (group.type === 'metric') yield* metricOf(group, group.metric_name)
  if (group.type === 'event') yield* eventOf(group, group.name)
}

function* attributeOf(attribute: Tree, name: unknown): Iterable<Convention> {
  if (typeof name !== 'string') return
  const written = attribute.type
  const template = typeof written === 'string' ? /^template\[(.+)\]$/.exec(written)?.[1] : undefined
  const type = template ?? (typeof written === 'string' ? written : enumerationOf(written as Tree | undefined))
  yield {
    kind: 'attribute',
    ...common(attribute),
    name: template === undefined ? name : `${name}.`,
    ...(template === undefined ? {} : { template: true }),
    ...(type === undefined ? {} : { type }),
  }
}

/** The type of the values of `{members: [...]}`. */
function enumerationOf(type: Tree | undefined): string | undefined {
  const values = listOf(type?.members).map(member => member.value ?? member.id)
  if (values.length === 0) return undefined
  if (values.every(value => Number.isInteger(value))) return 'int'
  return values.every(value => typeof value === 'string') ? 'string' : 'any'
}

function* metricOf(metric: Tree, name: unknown): Iterable<Convention> {
  if (typeof name !== 'string') return
  const { unit, instrument } = metric
  yield {
    kind: 'metric',
    ...common(metric),
    name,
    ...(typeof unit === 'string' ? { unit } : {}),
    ...(typeof instrument === 'string' ? { instrument } : {}),
  }
}

function* eventOf(event: Tree, name: unknown): Iterable<Convention> {
  if (typeof name === 'string') yield { kind: 'event', ...common(event), name }
}

function common({ brief, stability, deprecated }: Tree): Pick<Convention, 'stable' | 'brief' | 'deprecated'> {
  return {
    stable: stability === 'stable',
    brief: typeof brief === 'string' ? brief.trim() : '',
    ...(deprecated === undefined || deprecated === null ? {} : { deprecated: deprecationOf(deprecated) }),
  }
}

function deprecationOf(written: unknown): NonNullable<Convention['deprecated']> {
  if (typeof written === 'string') return { note: written }
  const { renamed_to: replacement, note, reason } = written as Tree
  const words = typeof note === 'string' ? note.trim() : String(reason ?? 'deprecated')
  return typeof replacement === 'string' ? { note: words, replacement } : { note: words }
}

function listOf(value: unknown): readonly Tree[] {
  return Array.isArray(value) ? value.filter(each => typeof each === 'object' && each !== null) : []
}
