import { isDeepStrictEqual } from 'node:util'
import { type ConfigNode, ListNode, type MapEntry, MapNode, toPlain } from './node.ts'

/**
 * Merges a later configuration over an earlier one: maps key by key and all the way down; lists, scalars and nulls of
 * the later one replace what was there. So a key with nothing after it deletes what earlier files put under it.
 * @param append lists at `service::extensions` and at receivers and exporters of pipelines are joined without
 *   duplicates instead, as under the gate `confmap.enableMergeAppendOption`
 */
export function mergeNodes(earlier: MapNode, later: MapNode, append = false): MapNode {
  return mergeAt(earlier, later, append ? [] : undefined)
}

function mergeAt(earlier: MapNode, later: MapNode, path: readonly string[] | undefined): MapNode {
  const merged = new Map<string, MapEntry>(earlier.map)
  for (const [key, entry] of later.map) {
    const before = merged.get(key)?.node
    merged.set(key, before ? { ...entry, node: mergeValue(before, entry.node, path && [...path, key]) } : entry)
  }
  return new MapNode(merged, later.origin ?? earlier.origin, later.original)
}

function mergeValue(earlier: ConfigNode, later: ConfigNode, path: readonly string[] | undefined): ConfigNode {
  if (earlier.kind === 'map' && later.kind === 'map') return mergeAt(earlier, later, path)
  if (path && earlier.kind === 'list' && later.kind === 'list' && isAppended(path)) return appendList(earlier, later)
  return later
}

function isAppended(path: readonly string[]): boolean {
  if (path[0] !== 'service') return false
  if (path.length === 2) return path[1] === 'extensions'
  return path.at(-1) === 'receivers' || path.at(-1) === 'exporters'
}

function appendList(earlier: ListNode, later: ListNode): ListNode {
  const items = [...earlier.items]
  for (const item of later.items) {
    if (!items.some(present => isDeepStrictEqual(toPlain(present), toPlain(item)))) items.push(item)
  }
  return new ListNode(items, later.origin)
}

/**
 * Splits keys that hold `::` into nested maps, in maps below maps but not in lists. Where two keys of one map meet,
 * they are merged in the order written.
 */
export function splitKeys(node: ConfigNode): ConfigNode {
  if (node.kind !== 'map') return node
  const map = new Map<string, MapEntry>()
  for (const [key, { node: written, keyOrigin }] of node.map) {
    const [first, ...rest] = key.split('::') as [string, ...string[]]
    const value = rest.reduceRight<ConfigNode>(
      (inner, name) => new MapNode(new Map([[name, { node: inner, keyOrigin }]]), keyOrigin),
      splitKeys(written),
    )
    const before = map.get(first)?.node
    map.set(first, { node: before ? mergeValue(before, value, undefined) : value, keyOrigin })
  }
  return new MapNode(map, node.origin, node.original)
}
