import { type Fault, joinPath } from './fault.ts'
import type { ConfigNode } from './node.ts'

/**
 * Gives positions to the sentences of a component's own check. A sentence may begin with `path: `, keys joined by `::`
 * below `path`; it does when nothing but a path stands before its first `: `.
 * @param node what was written for the component
 * @param path of the component in the whole configuration
 */
export function placeFaults(
  sentences: Iterable<string>,
  node: ConfigNode | undefined,
  path: readonly string[],
): readonly Fault[] {
  return [...sentences].map(text => {
    const [, prefix, message] = PREFIXED.exec(text) ?? []
    const below = prefix?.split('::') ?? []
    const origin = node?.originAt(below)
    return { path: joinPath([...path, ...below]), message: message ?? text, ...(origin && { origin }) }
  })
}

const PREFIXED = /^([^\s:]+(?:::[^\s:]+)*): (.+)$/s
