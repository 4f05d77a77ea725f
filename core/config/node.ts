import type { Origin } from './origin.ts'

/** A value of a configuration, immutable, which knows where it was written. Maps and lists hold further nodes. */
export type ConfigNode = MapNode | ListNode | ScalarNode | NullNode

/** A single value. Integers that a double cannot hold exactly are bigint. */
export type ScalarValue = string | number | bigint | boolean

/** One key of a map. */
export interface MapEntry {
  readonly node: ConfigNode
  /** Where the key was written. */
  readonly keyOrigin: Origin | undefined
}

abstract class BaseNode {
  /** Where the value was written: for maps, lists and nulls the key that holds them, for scalars the value itself. */
  readonly origin: Origin | undefined
  /** The text that a reference gave for this value, when the value is one reference: what a string option receives. */
  readonly original: string | undefined

  constructor(origin: Origin | undefined, original: string | undefined) {
    this.origin = origin
    this.original = original
  }

  /** The node at `path`, given as keys or joined by `::`; list items by index. */
  get(path: string | readonly string[]): ConfigNode | undefined {
    let node: ConfigNode | undefined = this as unknown as ConfigNode
    for (const key of typeof path === 'string' ? path.split('::') : path) {
      if (node instanceof MapNode) node = node.map.get(key)?.node
      else if (node instanceof ListNode) node = node.items[Number(key)]
      else return undefined
      if (node === undefined) return undefined
    }
    return node
  }

  /** The origin of the node at `path`, or of the nearest one above it that has an origin. */
  originAt(path: string | readonly string[]): Origin | undefined {
    const keys = typeof path === 'string' ? path.split('::') : path
    for (let length = keys.length; length > 0; length--) {
      const origin = this.get(keys.slice(0, length))?.origin
      if (origin) return origin
    }
    return this.origin
  }
}

/** Keys and what they hold, in the order written. */
export class MapNode extends BaseNode {
  readonly kind = 'map'
  readonly map: ReadonlyMap<string, MapEntry>

  constructor(map: ReadonlyMap<string, MapEntry>, origin?: Origin, original?: string) {
    super(origin, original)
    this.map = map
  }

  get keys(): readonly string[] {
    return [...this.map.keys()]
  }

  *entries(): IterableIterator<readonly [key: string, node: ConfigNode]> {
    for (const [key, entry] of this.map) yield [key, entry.node]
  }

  /** Where `key` itself was written. */
  keyOrigin(key: string): Origin | undefined {
    return this.map.get(key)?.keyOrigin
  }
}

export class ListNode extends BaseNode {
  readonly kind = 'list'
  readonly items: readonly ConfigNode[]

  constructor(items: readonly ConfigNode[], origin?: Origin, original?: string) {
    super(origin, original)
    this.items = items
  }

  get keys(): readonly string[] {
    return this.items.map((_, index) => String(index))
  }

  *entries(): IterableIterator<readonly [key: string, node: ConfigNode]> {
    for (const [index, node] of this.items.entries()) yield [String(index), node]
  }
}

export class ScalarNode extends BaseNode {
  readonly kind = 'scalar'
  readonly value: ScalarValue

  constructor(value: ScalarValue, origin?: Origin, original?: string) {
    super(origin, original)
    this.value = value
  }

  get keys(): readonly string[] {
    return []
  }

  *entries(): IterableIterator<readonly [key: string, node: ConfigNode]> {}
}

/** A key with nothing after it, `null`, `~`, or a reference to nothing (then `original` is the empty text). */
export class NullNode extends BaseNode {
  readonly kind = 'null'

  constructor(origin?: Origin, original?: string) {
    super(origin, original)
  }

  get keys(): readonly string[] {
    return []
  }

  *entries(): IterableIterator<readonly [key: string, node: ConfigNode]> {}
}

/** The same node with another origin and another original text. */
export function relocate(node: ConfigNode, origin: Origin | undefined, original: string | undefined): ConfigNode {
  switch (node.kind) {
    case 'map':
      return new MapNode(node.map, origin, original)
    case 'list':
      return new ListNode(node.items, origin, original)
    case 'scalar':
      return new ScalarNode(node.value, origin, original)
    case 'null':
      return new NullNode(origin, original)
  }
}

/** The plain value: objects, arrays, scalars and null. */
export function toPlain(node: ConfigNode): unknown {
  switch (node.kind) {
    case 'map': {
      const object: Record<string, unknown> = {}
      for (const [key, entry] of node.map) setOwn(object, key, toPlain(entry.node))
      return object
    }
    case 'list':
      return node.items.map(toPlain)
    case 'scalar':
      return node.value
    case 'null':
      return null
  }
}

/**
 * A node for a plain value, as if it had been written at `origin`.
 * @throws {TypeError} when the value holds something that YAML has no words for
 */
export function fromPlain(value: unknown, origin?: Origin): ConfigNode {
  if (value === null || value === undefined) return new NullNode(origin)
  if (Array.isArray(value)) {
    return new ListNode(
      value.map(item => fromPlain(item, origin)),
      origin,
    )
  }
  switch (typeof value) {
    case 'object': {
      const map = new Map<string, MapEntry>()
      for (const [key, item] of Object.entries(value))
        map.set(key, { node: fromPlain(item, origin), keyOrigin: origin })
      return new MapNode(map, origin)
    }
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
      return new ScalarNode(value, origin)
    default:
      throw new TypeError(`a configuration cannot hold a ${typeof value}`)
  }
}

/** Sets a key of an object that comes from outside: `__proto__` becomes an ordinary key. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  } else {
    object[key] = value
  }
}
