import { Document, isPair, isScalar, isSeq, Scalar, visit } from 'yaml'
import { resolvePlain } from './scalar.ts'

export interface YamlPrintOptions {
  /** What to say behind the single value at a path, on the same line. */
  readonly comment?: (path: readonly string[]) => string | undefined
}

/**
 * Prints plain values as YAML that reads back as the same values under the rules of go-yaml v3: whatever a plain word
 * would turn into a number, a boolean or null is quoted. Ends with a line break.
 */
export function stringifyYaml(value: unknown, options: YamlPrintOptions = {}): string {
  const document = new Document(value, { schema: 'core', aliasDuplicateObjects: false })
  visit(document, {
    Scalar(key, node, ancestors) {
      if (typeof node.value === 'string' && isSpecial(node.value)) node.type = Scalar.QUOTE_DOUBLE
      const comment = key === 'key' ? undefined : options.comment?.(pathOf(key, ancestors))
      if (comment !== undefined) node.comment = ` ${comment}`
    },
  })
  return document.toString({ lineWidth: 0 })
}

/** Prints a configuration as YAML. */
export function printYaml(value: unknown, options?: YamlPrintOptions): string {
  return stringifyYaml(value, options)
}

/** Prints a configuration as indented JSON; 64-bit integers keep all their digits. */
export function printJson(value: unknown): string {
  const json = JSON as typeof JSON & { rawJSON(text: string): unknown }
  const print = (_: string, item: unknown) => (typeof item === 'bigint' ? json.rawJSON(String(item)) : item)
  return `${JSON.stringify(value, print, 2)}\n`
}

/** Keys and indexes down to the value that the visitor is at. */
function pathOf(key: number | 'key' | 'value' | null, ancestors: readonly unknown[]): string[] {
  return ancestors.flatMap((ancestor, depth) => {
    if (isPair(ancestor)) return [String(isScalar(ancestor.key) ? ancestor.key.value : ancestor.key)]
    if (!isSeq(ancestor)) return []
    const child = ancestors[depth + 1]
    return [String(child === undefined ? key : ancestor.items.indexOf(child))]
  })
}

function isSpecial(text: string): boolean {
  return resolvePlain(text) !== text || SWITCH.test(text) || text === '<<' || CONTROL.test(text)
}

/** Booleans of YAML 1.1: strings to us, but not to every reader. */
const SWITCH = /^(?:y|n|yes|no|on|off)$/i

/** Characters that YAML cannot hold unescaped. */
const CONTROL = /[^\t\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u
