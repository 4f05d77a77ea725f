import { type AnyNode, type MemberNode, parse, type ValueNode } from '@humanwhocodes/momoa'
import { type ConfigNode, ListNode, type MapEntry, MapNode, NullNode, type Origin, ScalarNode } from '#core/config'
import { dotted, type Finding } from './finding.ts'

/** Beyond any configuration. */
const MAX_LENGTH = 1 << 22

/** A JSON5 text as nodes with positions, or why it is none; keys written twice, of which the last counts, are warnings. */
export interface ReadJson5 {
  readonly node: ConfigNode | undefined
  readonly findings: readonly Finding[]
}

/**
 * Reads the gateway's configuration language. What is said of a text that cannot be read never quotes more than one
 * character of it.
 * @param file names the text in positions
 */
export function readJson5(text: string, file: string): ReadJson5 {
  if (text.length > MAX_LENGTH) return refused(`is larger than ${MAX_LENGTH} characters`, { file, line: 1, column: 1 })
  try {
    const reader = new Reader(file)
    const node = reader.value(parse(text, { mode: 'json5' }).body, undefined, [])
    return { node, findings: reader.findings }
  } catch (error) {
    if (error instanceof RangeError) return refused('is nested too deep', { file, line: 1, column: 1 })
    const { message, line, column } = error as Error & { readonly line?: number; readonly column?: number }
    if (line === undefined || column === undefined) throw error
    return refused(inWordsOfOurs(message), { file, line, column })
  }
}

function refused(message: string, origin: Origin): ReadJson5 {
  return { node: undefined, findings: [{ severity: 'error', rule: 'syntax', path: '', message, origin }] }
}

/** The library writes `Unexpected token String found. (1:4)`. */
function inWordsOfOurs(message: string): string {
  return `is not JSON5: ${message.replace(/\.?\s*\(\d+:\d+\)$/, '').replace(/^U/, 'u')}`
}

class Reader {
  readonly findings: Finding[] = []
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  /** Maps, lists and nulls stand where the key that holds them does, as everywhere in `core/config`. */
  value(node: ValueNode, key: Origin | undefined, path: readonly string[]): ConfigNode {
    const at = key ?? this.#at(node)
    switch (node.type) {
      case 'Object':
        return this.#map(node.members, at, path)
      case 'Array':
        return new ListNode(
          node.elements.map((element, index) => this.value(element.value, undefined, [...path, String(index)])),
          at,
        )
      case 'Null':
        return new NullNode(at)
      case 'NaN':
        return new ScalarNode(Number.NaN, this.#at(node))
      case 'Infinity':
        return new ScalarNode(node.sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY, this.#at(node))
      default:
        return new ScalarNode((node as { readonly value: string | number | boolean }).value, this.#at(node))
    }
  }

  #map(members: readonly MemberNode[], at: Origin, path: readonly string[]): MapNode {
    const map = new Map<string, MapEntry>()
    for (const { name, value } of members) {
      const key = name.type === 'Identifier' ? name.name : name.value
      const keyOrigin = this.#at(name)
      const earlier = map.get(key)?.keyOrigin
      if (earlier !== undefined) {
        const message = `written twice, first in line ${earlier.line}: this one counts`
        this.findings.push({
          severity: 'warning',
          rule: 'duplicate-key',
          path: dotted([...path, key]),
          message,
          origin: keyOrigin,
        })
      }
      map.set(key, { node: this.value(value, keyOrigin, [...path, key]), keyOrigin })
    }
    return new MapNode(map, at)
  }

  #at(node: AnyNode): Origin {
    const { line, column } = node.loc.start
    return { file: this.#file, line, column }
  }
}
