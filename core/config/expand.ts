import { type Fault, joinPath } from './fault.ts'
import { findReference } from './find-reference.ts'
import { type ConfigNode, ListNode, type MapEntry, MapNode, NullNode, relocate, ScalarNode } from './node.ts'
import type { Origin } from './origin.ts'
import type { Retrieved } from './retrieved.ts'

/** What expansion needs from outside. */
export interface ExpandContext {
  /** Brings what a reference (without `${` and `}`), met at this place, stands for, and how to name its source. */
  retrieve(uri: string, place: Place): Promise<Retrieved & { readonly label: string }>
  /** Put before references without a colon; empty: they are left alone. */
  readonly defaultScheme: string
}

/** Where a reference was met. */
export interface Place {
  readonly path: string
  readonly origin?: Origin
}

/** As in the Collector: one value may be expanded this often. */
const MAX_ROUNDS = 1000
/** Against values that multiply themselves: characters brought in for one configuration. */
const MAX_EXPANDED = 16 << 20
/** Against values that nest themselves: values looked at for one configuration. */
const MAX_VISITED = 10_000_000

/**
 * Expands every reference below `root`, in values but never in keys, again and again until nothing changes, and then
 * turns `$$` into `$`. A value that is exactly one reference keeps its parsed type, with the source text beside it.
 * @returns the expanded configuration, or what could not be expanded
 */
export async function expandNode(root: MapNode, context: ExpandContext): Promise<MapNode | readonly Fault[]> {
  const faults: Fault[] = []
  const expander = new Expander(context)
  const expanded = await expandLeaves(root, [], async (leaf, path) => {
    try {
      return unescapeDollars(await expander.expand(leaf, joinPath(path)))
    } catch (error) {
      if (!(error instanceof Error)) throw error
      const origin = leaf.origin
      faults.push({
        path: joinPath(path),
        message: error.message,
        code: 'unresolved-reference',
        ...(origin && { origin }),
      })
      return leaf
    }
  })
  return faults.length === 0 ? (expanded as MapNode) : faults
}

/** Replaces what hangs at the ends of nested maps. Lists are ends. */
async function expandLeaves(
  node: ConfigNode,
  path: readonly string[],
  expand: (leaf: ConfigNode, path: readonly string[]) => Promise<ConfigNode>,
): Promise<ConfigNode> {
  if (node.kind !== 'map') return mayHoldReference(node) ? expand(node, path) : node
  const map = new Map<string, MapEntry>()
  for (const [key, entry] of node.map) {
    map.set(key, { node: await expandLeaves(entry.node, [...path, key], expand), keyOrigin: entry.keyOrigin })
  }
  return new MapNode(map, node.origin, node.original)
}

function mayHoldReference(node: ConfigNode): boolean {
  if (node.kind === 'scalar') return typeof node.value === 'string' && node.value.includes('$')
  return [...node.entries()].some(([, child]) => mayHoldReference(child))
}

class Expander {
  readonly #context: ExpandContext
  #path = ''
  #expanded = 0
  #visited = 0

  constructor(context: ExpandContext) {
    this.#context = context
  }

  async expand(leaf: ConfigNode, path: string): Promise<ConfigNode> {
    this.#path = path
    let node = leaf
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const next = await this.#round(node)
      if (next === node) return node
      node = next
    }
    throw new Error('too many recursive expansions')
  }

  /** One round: every text below `node` is expanded once. Returns `node` itself when nothing changed. */
  #round(node: ConfigNode): ConfigNode | Promise<ConfigNode> {
    if (++this.#visited > MAX_VISITED) throw new Error('too many recursive expansions')
    if (isText(node)) return node.value.includes('${') ? this.#text(node) : node
    return node.original === undefined ? this.#children(node) : this.#withOriginal(node, node.original)
  }

  async #withOriginal(node: ConfigNode, original: string): Promise<ConfigNode> {
    const value = await this.#children(node)
    const text = await this.#original(original)
    return text === original ? value : relocate(value, value.origin, text)
  }

  /** The source text beside a value is expanded too; when that cannot be, the value goes on without it. */
  async #original(original: string): Promise<string | undefined> {
    try {
      const text = await this.#text(new ScalarNode(original) as TextNode)
      return isText(text) ? text.value : original
    } catch {
      return undefined
    }
  }

  #children(node: ConfigNode): ConfigNode | Promise<ConfigNode> {
    if (node.kind === 'list') return this.#list(node)
    return node.kind === 'map' ? this.#map(node) : node
  }

  async #list(node: ListNode): Promise<ConfigNode> {
    const items: ConfigNode[] = []
    for (const item of node.items) {
      const value = this.#round(item)
      items.push(value instanceof Promise ? await value : value)
    }
    const changed = items.some((item, index) => item !== node.items[index])
    return changed ? new ListNode(items, node.origin, node.original) : node
  }

  async #map(node: MapNode): Promise<ConfigNode> {
    const map = new Map<string, MapEntry>()
    let changed = false
    for (const [key, entry] of node.map) {
      const next = this.#round(entry.node)
      const value = next instanceof Promise ? await next : next
      changed ||= value !== entry.node
      map.set(key, { node: value, keyOrigin: entry.keyOrigin })
    }
    return changed ? new MapNode(map, node.origin, node.original) : node
  }

  async #text(node: TextNode): Promise<ConfigNode> {
    const text = node.value
    const reference = findReference(text, this.#context.defaultScheme !== '')
    if (reference === undefined) return node
    const { node: value, text: replacement, label } = await this.#retrieve(reference, node.origin)
    if (reference === text) {
      const origin = node.origin && { ...node.origin, via: label }
      const isString = value.kind === 'scalar' && typeof value.value === 'string'
      this.#spend(replacement?.length ?? 0)
      return relocate(value, origin, isString ? undefined : replacement)
    }
    if (replacement === undefined) {
      throw new Error(`expanding ${reference}: retrieved value does not have unambiguous string representation`)
    }
    const origin = node.origin && { ...node.origin, via: node.origin.via ?? label }
    const parts = text.split(reference)
    this.#spend(text.length + (parts.length - 1) * replacement.length)
    return new ScalarNode(parts.join(replacement), origin)
  }

  async #retrieve(reference: string, origin: Origin | undefined): Promise<Retrieved & { readonly label: string }> {
    const inner = reference.slice(2, -1)
    const uri = inner.includes(':') ? inner : `${this.#context.defaultScheme}:${inner}`
    return this.#context.retrieve(uri, { path: this.#path, ...(origin && { origin }) })
  }

  #spend(characters: number): void {
    this.#expanded += characters
    if (this.#expanded > MAX_EXPANDED) throw new Error('expansions make the configuration too large')
  }
}

type TextNode = ScalarNode & { readonly value: string }

function isText(node: ConfigNode): node is TextNode {
  return node.kind === 'scalar' && typeof node.value === 'string'
}

/** Turns `$$` into `$` in all texts, the source texts beside values included. */
function unescapeDollars(node: ConfigNode): ConfigNode {
  const original = node.original?.replaceAll('$$', () => '$')
  switch (node.kind) {
    case 'scalar':
      return new ScalarNode(isText(node) ? node.value.replaceAll('$$', () => '$') : node.value, node.origin, original)
    case 'list':
      return new ListNode(node.items.map(unescapeDollars), node.origin, original)
    case 'map': {
      const map = new Map<string, MapEntry>()
      for (const [key, entry] of node.map)
        map.set(key, { node: unescapeDollars(entry.node), keyOrigin: entry.keyOrigin })
      return new MapNode(map, node.origin, original)
    }
    case 'null':
      return new NullNode(node.origin, original)
  }
}
