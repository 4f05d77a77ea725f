import { isDeepStrictEqual } from 'node:util'
import { type Attributes, type Key, key, type Value, type ValueKind } from '#core/data'
import { plainNumber } from '#core/transform'
import type { MatchConfig } from './match-option.ts'
import { type MatchText, textMatcher } from './match-text.ts'

/** Whether attributes fit. */
export type MatchAttributes = (attributes: Attributes) => boolean

/** All entries must fit: the key is there, and its value is equal or matches, if the entry has one. */
export function attributesMatcher(
  entries: MatchConfig['attributes'],
  type: MatchConfig['match_type'],
): MatchAttributes | undefined {
  if (entries.length === 0) return undefined
  const matchers = entries.map(entry => entryMatcher(key(entry.key), entry.value, type))
  return attributes => matchers.every(matches => matches(attributes))
}

function entryMatcher(name: Key, wanted: unknown, type: MatchConfig['match_type']): MatchAttributes {
  if (wanted == null) return attributes => attributes.has(name)
  if (type === 'regexp') return regexpMatcher(name, textMatcher([wanted as string], type)!)
  if (typeof wanted === 'string') return attributes => attributes.is(name, wanted)
  const kind = kindOf(wanted)
  return attributes => attributes.kind(name) === kind && isDeepStrictEqual(attributes.get(name), wanted)
}

/** Numbers and booleans match by their text, other values never. */
function regexpMatcher(name: Key, matches: MatchText): MatchAttributes {
  return attributes => {
    const value = attributes.get(name)
    if (typeof value === 'string') return matches(value)
    if (typeof value === 'number') return matches(plainNumber(value))
    return (typeof value === 'boolean' || typeof value === 'bigint') && matches(String(value))
  }
}

/** The kind that a value from a configuration becomes. */
function kindOf(value: unknown): ValueKind {
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'bigint' || Number.isInteger(value as Value)) return 'int'
  if (typeof value === 'number') return 'double'
  return Array.isArray(value) ? 'array' : 'map'
}
