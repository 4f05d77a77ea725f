import { type Environment, processEnvironment } from './environment.ts'
import { expandNode, type Place } from './expand.ts'
import { ConfigError, type Fault, type Warning } from './fault.ts'
import { type Location, locationLabel, parseConfigLocation, parseLocation } from './location.ts'
import { mergeNodes, splitKeys } from './merge.ts'
import { type ConfigNode, MapNode } from './node.ts'
import { type FetchAnswer, PROVIDERS, type Provider, type ProviderContext } from './provider.ts'
import { readTextFile } from './read-text.ts'
import { asConfiguration, type Retrieved, retrievedFromYaml } from './retrieved.ts'
import { parseSetFlag } from './set-flag.ts'
import type { SourceTexts } from './source-text.ts'
import { YamlError } from './yaml-parse.ts'

/** A configuration whose sources are read, merged and expanded; not yet held against any schema. */
export interface Resolved {
  /** Always a map; empty when nothing was written. */
  readonly root: ConfigNode
  readonly warnings: readonly Warning[]
}

/** What resolution may use instead of the process's own world, and how it may differ. */
export interface ResolveOptions {
  /** Default: the environment of the process. */
  readonly env?: Environment
  /** Items of `--set`, `a.b=value`; they win over all sources. */
  readonly sets?: readonly string[]
  /** Default: reads the file system; relative paths start at the working directory. */
  readonly readFile?: (path: string) => Promise<string>
  /** Default: the global `fetch`. */
  readonly fetch?: (url: string, init: { readonly signal: AbortSignal }) => Promise<FetchAnswer>
  /** Further providers by scheme, or replacements. */
  readonly providers?: { readonly [scheme: string]: Provider }
  /** Only providers of these schemes. Default: all. */
  readonly schemes?: readonly string[]
  /** The scheme of `${NAME}`. Default `env`; empty: only references with a scheme are expanded. */
  readonly defaultScheme?: string
  /** Joins lists of receivers, exporters and extensions of several sources (gate `confmap.enableMergeAppendOption`). */
  readonly appendLists?: boolean
  /** Whether references are expanded; default true. Without, they stand in the result as they were written. */
  readonly expand?: boolean
  /** Takes what was read, but for what stands on the command line itself. */
  readonly texts?: SourceTexts
}

/**
 * Reads every source in order, merges each over the ones before, `--set` items last, and only then expands `${…}`.
 * @param uris `scheme:opaque` or a path
 * @throws {ConfigError} of stage `resolve`, with all faults
 */
export async function resolve(uris: readonly string[], options: ResolveOptions = {}): Promise<Resolved> {
  const resolver = new Resolver(options)
  const merged = await resolver.merge(uris, options.sets ?? [])
  const expanded = options.expand === false ? merged : await expandNode(merged, resolver)
  if (!(expanded instanceof MapNode)) throw new ConfigError(expanded, { stage: 'resolve' })
  return { root: splitKeys(expanded), warnings: resolver.warnings }
}

interface Source extends Location {
  readonly label: string
}

class Resolver {
  readonly warnings: Warning[] = []
  readonly defaultScheme: string
  readonly #options: ResolveOptions
  readonly #providers: { readonly [scheme: string]: Provider }
  readonly #context: ProviderContext
  /** Each reference is read once: a configuration never mixes two states of one source. */
  readonly #retrieved = new Map<string, Promise<Retrieved & { readonly label: string }>>()

  constructor(options: ResolveOptions) {
    this.#options = options
    this.defaultScheme = options.defaultScheme ?? 'env'
    const providers = { ...PROVIDERS, ...options.providers }
    const schemes = options.schemes ?? Object.keys(providers)
    this.#providers = Object.fromEntries(Object.entries(providers).filter(([scheme]) => schemes.includes(scheme)))
    this.#context = {
      env: options.env ?? processEnvironment(),
      readFile: options.readFile ?? readTextFile,
      fetch: options.fetch ?? fetch,
      warn: warning => this.warnings.push(warning),
    }
  }

  async merge(uris: readonly string[], sets: readonly string[]): Promise<MapNode> {
    const faults: Fault[] = []
    const sources: Source[] = []
    const attempt = (read: () => Source) => {
      try {
        sources.push(read())
      } catch (error) {
        faults.push({ path: '', message: sentence(error), code: 'unreadable-source' })
      }
    }
    for (const uri of uris) attempt(() => this.#source(uri))
    for (const item of sets) attempt(() => parseSetFlag(item))
    if (uris.length === 0) faults.push({ path: '', message: 'at least one config flag must be provided' })

    let merged = new MapNode(new Map())
    for (const source of sources) {
      const configuration = await this.#configuration(source)
      if (configuration instanceof MapNode) merged = mergeNodes(merged, configuration, this.#options.appendLists)
      else faults.push(configuration)
    }
    if (faults.length > 0) throw new ConfigError(faults, { stage: 'resolve' })
    return merged
  }

  retrieve(uri: string, place: Place): Promise<Retrieved & { readonly label: string }> {
    let retrieved = this.#retrieved.get(uri)
    if (!retrieved) {
      retrieved = this.#retrieve(uri, place)
      this.#retrieved.set(uri, retrieved)
    }
    return retrieved
  }

  #source(uri: string): Source {
    const location = parseConfigLocation(uri)
    if (!Object.hasOwn(this.#providers, location.scheme)) {
      throw new Error(`unsupported scheme on URI "${location.scheme}:"`)
    }
    return { ...location, label: locationLabel(location) }
  }

  async #configuration(source: Source): Promise<MapNode | Fault> {
    try {
      const provider = this.#providers[source.scheme]!
      const retrieved =
        source.scheme === 'yaml'
          ? retrievedFromYaml(source.opaque, source.label)
          : await provider(source, this.#context)
      if (source.scheme !== 'yaml' && retrieved.text !== undefined) {
        this.#options.texts?.add(source.label, retrieved.text, true)
      }
      const configuration = asConfiguration(retrieved, source.label)
      return configuration instanceof MapNode ? (splitKeys(configuration) as MapNode) : configuration
    } catch (error) {
      const origin = error instanceof YamlError ? error.origin : undefined
      const message = `cannot retrieve the configuration: ${sentence(error)}`
      return { path: '', message, code: 'unreadable-source', ...(origin && { origin }) }
    }
  }

  async #retrieve(uri: string, place: Place): Promise<Retrieved & { readonly label: string }> {
    const location = parseLocation(uri)
    const label = locationLabel(location)
    if (location.opaque.includes('$')) throw new Error(`the uri "${uri}" contains unsupported characters ('$')`)
    const provider = Object.hasOwn(this.#providers, location.scheme) && this.#providers[location.scheme]
    if (!provider) throw new Error(`scheme "${location.scheme}" is not supported for uri "${uri}"`)
    const warn = (warning: Warning) => this.#context.warn({ ...warning, ...place })
    const retrieved = await provider(location, { ...this.#context, warn })
    if (location.scheme !== 'yaml' && retrieved.text !== undefined) {
      this.#options.texts?.add(label, retrieved.text, false, retrieved.notYaml)
    }
    return { ...retrieved, label }
  }
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
