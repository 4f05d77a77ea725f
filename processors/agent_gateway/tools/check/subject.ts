import { type ConfigNode, type Environment, MapNode, type Origin } from '#core/config'
import type { GatewayVersion } from '../gateway/version.ts'
import { dotted, type Finding } from './finding.ts'
import type { PluginManifest } from './plugin-manifest.ts'

/** The key by which a section takes another file in. */
export const INCLUDE = '$include'

/** A configuration under check, and what the rules may ask of it. */
export class Subject {
  readonly root: MapNode
  readonly version: GatewayVersion
  readonly env: Environment
  /** Of the plugins in `plugins.load.paths` that could be read. */
  readonly manifests: readonly PluginManifest[]

  constructor(
    root: MapNode,
    version: GatewayVersion,
    env: Environment = {},
    manifests: readonly PluginManifest[] = [],
  ) {
    this.root = root
    this.version = version
    this.env = env
    this.manifests = manifests
  }

  node(...path: readonly string[]): ConfigNode | undefined {
    return path.length === 0 ? this.root : this.root.get(path)
  }

  map(...path: readonly string[]): MapNode | undefined {
    const node = this.node(...path)
    return node?.kind === 'map' ? node : undefined
  }

  /** The value when it is a single one. */
  value(...path: readonly string[]): unknown {
    const node = this.node(...path)
    return node?.kind === 'scalar' ? node.value : undefined
  }

  text(...path: readonly string[]): string | undefined {
    const value = this.value(...path)
    return typeof value === 'string' ? value : undefined
  }

  /** The texts of a list; undefined when there is none or it is empty. */
  texts(...path: readonly string[]): readonly string[] | undefined {
    const node = this.node(...path)
    if (node?.kind !== 'list' || node.items.length === 0) return undefined
    return node.items.flatMap(item => (item.kind === 'scalar' && typeof item.value === 'string' ? [item.value] : []))
  }

  /** Whether more may stand at `path` than is written here, because it or something above it includes a file. */
  isOpen(...path: readonly string[]): boolean {
    return [...path, ''].some((_, length) => this.map(...path.slice(0, length))?.map.has(INCLUDE) === true)
  }

  /** Whether the gateway is asked to export. */
  get exports(): boolean {
    return this.value('diagnostics', 'otel', 'enabled') === true && this.value('diagnostics', 'enabled') !== false
  }

  /** Whether a signal is exported: traces and metrics unless switched off, logs only when switched on. */
  sends(signal: 'traces' | 'metrics' | 'logs'): boolean {
    const written = this.value('diagnostics', 'otel', signal)
    return signal === 'logs' ? written === true : written !== false
  }

  /** A finding at the key that `path` ends with, or the nearest above it that is written. */
  find(severity: Finding['severity'], rule: string, path: readonly string[], message: string): Finding {
    const origin = this.#keyOrigin(path)
    return { severity, rule, path: dotted(path), message, ...(origin && { origin }) }
  }

  #keyOrigin(path: readonly string[]): Origin | undefined {
    for (let length = path.length; length > 0; length--) {
      const above = this.node(...path.slice(0, length - 1))
      const key = path[length - 1]!
      const origin = above instanceof MapNode ? above.keyOrigin(key) : above?.get([key])?.origin
      if (origin !== undefined) return origin
    }
    return this.root.origin
  }
}

/** One rule: what it has to say about a configuration. */
export type Rule = (subject: Subject) => Iterable<Finding>
