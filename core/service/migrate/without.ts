import { isDeepStrictEqual } from 'node:util'
import { type ConfigNode, parseYaml, printYaml, removeFromYaml, toPlain } from '#core/config'
import type { Removal } from './prune.ts'

/**
 * A configuration without some of its parts, as YAML. The comments are kept where the source is one text and says what
 * it holds directly.
 * @param root as written, references not expanded
 * @param text the one source that it was read from
 */
export function without(root: ConfigNode, text: string | undefined, removals: readonly Removal[]): string {
  const expected = toPlain(root)
  for (const removal of ordered(removals)) remove(expected, removal)
  const edited = text === undefined ? undefined : removeFromYaml(text, ordered(removals))
  return edited !== undefined && same(edited, expected) ? edited : printYaml(expected)
}

/** From the end, so that the indexes that are left stay true. */
function ordered(removals: readonly Removal[]): Removal[] {
  return removals.toSorted((a, b) => lastIndex(b) - lastIndex(a))
}

function lastIndex(removal: Removal): number {
  const last = removal.at(-1)
  return typeof last === 'number' ? last : -1
}

function remove(from: unknown, [key, ...below]: Removal): void {
  if (typeof from !== 'object' || from === null || key === undefined) return
  const holder = from as Record<string | number, unknown>
  if (below.length > 0) remove(holder[key], below)
  else if (Array.isArray(from)) from.splice(Number(key), 1)
  else delete holder[key]
}

function same(text: string, expected: unknown): boolean {
  try {
    return isDeepStrictEqual(parseYaml(text), expected)
  } catch {
    return false
  }
}
