import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import {
  ConfigError,
  type ConfigNode,
  check,
  type Fault,
  MapNode,
  parseYamlNode,
  type Warning,
  YamlError,
} from '#core/config'
import { type Entry, type Manifest, manifestSchema } from './manifest-schema.ts'

/** What was written, with positions. */
export interface WrittenManifest {
  readonly node: ConfigNode
  /** The folder that its paths start from. */
  readonly folder: string
}

/** A manifest as far as it can be judged without looking for what it names. */
export interface ManifestFile extends WrittenManifest {
  /** `undefined` when there are faults. */
  readonly manifest: Manifest | undefined
  readonly faults: readonly Fault[]
  readonly warnings: readonly Warning[]
}

/** A manifest without faults. */
export interface Described extends WrittenManifest {
  readonly manifest: Manifest
}

/**
 * Reads a manifest and holds it against its schema.
 * @param path as the user wrote it: faults name it so
 * @throws {ConfigError} when it cannot be read, or is no YAML
 */
export async function readManifest(path: string): Promise<ManifestFile> {
  const node = parse(await text(path), path)
  const {
    value,
    faults = [],
    warnings,
  } = check(manifestSchema, node, [], { origin: { file: path, line: 1, column: 1 } })
  const all = [...faults, ...entryFaults(node)]
  return {
    manifest: all.length > 0 ? undefined : value,
    node,
    folder: dirname(resolve(path)),
    faults: all,
    warnings: [...warnings, ...ignoredKeys(node)],
  }
}

async function text(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : (error as Error).message
    throw new ConfigError([{ path: '', message: `cannot read the manifest ${path}: ${why}` }])
  }
}

function parse(written: string, path: string): ConfigNode {
  try {
    const node = parseYamlNode(written, path)
    return node.kind === 'null' ? new MapNode(new Map(), node.origin) : node
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    throw new ConfigError([{ path: '', message: error.message, origin: error.origin }])
  }
}

/** The lists whose entries name components, by the kind of these. */
export const SECTIONS = {
  receivers: 'receiver',
  processors: 'processor',
  exporters: 'exporter',
  connectors: 'connector',
  extensions: 'extension',
} as const
export type Section = keyof typeof SECTIONS

const SOURCES = ['component', 'gomod', 'package', 'path']

/** One entry of a list as far as it is well formed. */
export interface WrittenEntry {
  readonly entry: Entry
  /** Keys joined by `::`. */
  readonly path: string
  readonly node: ConfigNode
}

/** The entries of a list that name one thing, whatever is wrong with others. */
export function* entriesOf(root: ConfigNode, section: Section | 'providers'): Iterable<WrittenEntry> {
  const list = root.get([section])
  if (list?.kind !== 'list') return
  for (const [index, node] of list.items.entries()) {
    if (!saysOne(node)) continue
    const words = [...node.entries()].flatMap(([key, value]) =>
      value.kind === 'scalar' && typeof value.value === 'string' ? [[key, value.value]] : [],
    )
    yield { entry: Object.fromEntries(words), path: `${section}::${index}`, node }
  }
}

/** Lines of `replaces`, as far as they are texts. */
export function replacesOf(root: ConfigNode): readonly string[] {
  const list = root.get(['replaces'])
  const items = list?.kind === 'list' ? list.items : []
  return items.map(item => (item.kind === 'scalar' ? String(item.value) : ''))
}

function saidBy(node: ConfigNode): readonly string[] {
  return node.kind === 'map' ? SOURCES.filter(key => node.map.has(key)) : []
}

/** A Go module may have a path, which the Go builder puts in its place. */
function saysOne(node: ConfigNode): boolean {
  const said = saidBy(node)
  return said.length === 1 || (said.length === 2 && said[0] === 'gomod' && said[1] === 'path')
}

/** Each entry says in one way what it means. */
function* entryFaults(node: ConfigNode): Iterable<Fault> {
  for (const section of [...Object.keys(SECTIONS), 'providers']) {
    const list = node.get([section])
    if (list?.kind !== 'list') continue
    for (const [index, item] of list.items.entries()) {
      if (item.kind !== 'map') continue
      const said = saidBy(item)
      const origin = item.origin
      const place = { path: `${section}::${index}`, ...(origin && { origin }) }
      const known = item.keys.every(key => [...SOURCES, 'import', 'name'].includes(key))
      if (said.length === 0 && known) {
        yield { ...place, message: 'names nothing: write one of component, gomod, package or path' }
      } else if (!saysOne(item) && said.length > 0) {
        yield { ...place, message: `must be one thing, got ${said.join(' and ')}` }
      }
    }
  }
}

const WITHOUT_EFFECT = {
  dist: ['module', 'go', 'build_tags', 'cgo_enabled', 'use_absolute_replace_paths', 'otelcol_version', 'include_core'],
  '': ['converters', 'telemetry', 'excludes'],
}

function* ignoredKeys(node: ConfigNode): Iterable<Warning> {
  for (const [section, keys] of Object.entries(WITHOUT_EFFECT)) {
    const map = section === '' ? node : node.get([section])
    if (map?.kind !== 'map') continue
    for (const key of keys.filter(one => map.map.has(one))) {
      const origin = map.keyOrigin(key)
      const path = section === '' ? key : `${section}::${key}`
      yield { level: 'info', message: 'is of the Go builder and has no effect here', path, ...(origin && { origin }) }
    }
  }
}
