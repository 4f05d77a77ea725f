import type { ConfigNode } from '#core/config'
import type { Rule } from './subject.ts'

/** What the gateway replaces by a variable: upper case only; `$${NAME}` stands for itself. */
const REFERENCE = /(?<!\$)\$\{([A-Z_][A-Z0-9_]*)\}/g

/** Whether some of the text comes from a variable. */
export function hasReference(text: string): boolean {
  return text.search(REFERENCE) >= 0
}

/** The text without what comes from variables. */
export function withoutReferences(text: string): string {
  return text.replace(REFERENCE, '')
}

/** Variables that the configuration under `diagnostics` needs. */
export const variablesRule: Rule = function* (subject) {
  const given = (name: string) =>
    Boolean(subject.env[name]) ||
    subject.text('env', 'vars', name) !== undefined ||
    subject.text('env', name) !== undefined
  for (const [path, text] of texts(subject.node('diagnostics'), ['diagnostics'])) {
    const names = new Set([...text.matchAll(REFERENCE)].map(([, name]) => name!))
    for (const name of names) {
      if (!given(name)) {
        yield subject.find(
          'warning',
          'variable',
          path,
          `${name} is not set here: the gateway's own environment must have it`,
        )
      }
    }
    const other = /(?<!\$)\$\{(?![A-Z_][A-Z0-9_]*\})/.test(text) || /(?<!\$)\$(?=[A-Z_]{2})/.test(text)
    if (other) {
      const message = `holds a $ that the gateway does not replace: only \${NAME} in upper case is a variable`
      yield subject.find('warning', 'variable', path, message)
    }
  }
}

function* texts(node: ConfigNode | undefined, path: readonly string[]): Iterable<readonly [readonly string[], string]> {
  if (node === undefined) return
  if (node.kind === 'scalar') {
    if (typeof node.value === 'string') yield [path, node.value]
    return
  }
  for (const [key, child] of node.entries()) yield* texts(child, [...path, key])
}
