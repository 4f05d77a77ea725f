import type { ScalarValue } from './node.ts'

/**
 * What a plain YAML scalar means under the rules of go-yaml v3 when it is read without a target type, as the Collector
 * reads its configurations: a leading zero is octal, `0x`, `0o` and `0b` are integers, underscores are ignored, and
 * `yes`, `no`, `on` and `off` are strings. Timestamps stay strings. `null` is the null value.
 */
export function resolvePlain(text: string): ScalarValue | null {
  const word = WORDS.get(text)
  if (word !== undefined) return word
  const first = text.charCodeAt(0)
  if (first === DOT) return FLOAT.test(text) ? finite(text) : text
  if (first !== PLUS && first !== MINUS && (first < ZERO || first > NINE)) return text
  const plain = text.replaceAll('_', '')
  return resolveInteger(plain) ?? (FLOAT.test(plain) ? finite(plain, text) : text)
}

/** An integer of at most 64 bits in Go's notation (base prefix or leading zero), or undefined. */
function resolveInteger(plain: string): number | bigint | undefined {
  const match = INTEGER.exec(plain)
  if (!match) return undefined
  const [, sign, prefixed, octal, decimal] = match
  const digits = prefixed ?? (octal === undefined ? decimal! : `0o${octal}`)
  if (digits.length > MAX_DIGITS) return undefined
  const value = sign === '-' ? -BigInt(digits) : BigInt(digits)
  if (value < -(2n ** 63n) || value >= 2n ** 64n || (sign === '+' && value >= 2n ** 63n)) return undefined
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** A float, unless it is beyond the range of doubles: then the text stays text. */
function finite(plain: string, text = plain): number | string {
  const value = Number(plain)
  return Number.isFinite(value) ? value : text
}

const DOT = 0x2e
const PLUS = 0x2b
const MINUS = 0x2d
const ZERO = 0x30
const NINE = 0x39
/** 64 bits in binary, with prefix. */
const MAX_DIGITS = 66

const INTEGER = /^([-+]?)(?:(0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)|0([0-7]+)|(0|[1-9][0-9]*))$/
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/

const WORDS: ReadonlyMap<string, ScalarValue | null> = new Map<string, ScalarValue | null>([
  ...['', '~', 'null', 'Null', 'NULL'].map(word => [word, null] as const),
  ...['true', 'True', 'TRUE'].map(word => [word, true] as const),
  ...['false', 'False', 'FALSE'].map(word => [word, false] as const),
  ...['.nan', '.NaN', '.NAN'].map(word => [word, Number.NaN] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map(word => [word, Number.POSITIVE_INFINITY] as const),
  ...['-.inf', '-.Inf', '-.INF'].map(word => [word, Number.NEGATIVE_INFINITY] as const),
])

/** What a scalar means under an explicit YAML tag, or undefined when it does not fit. Unknown tags leave a string. */
export function explicitScalar(tag: string, text: string): ScalarValue | null | undefined {
  const value = resolvePlain(text)
  switch (tag.replace(/^tag:yaml\.org,2002:|^!!/, '')) {
    case 'int':
      return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value)) ? value : undefined
    case 'float':
      return typeof value === 'number' ? value : undefined
    case 'bool':
      return typeof value === 'boolean' ? value : undefined
    case 'null':
      return value === null ? null : undefined
    case 'binary':
      return BASE64.test(text.trim()) ? Buffer.from(text, 'base64').toString() : undefined
    default:
      return text
  }
}

const BASE64 = /^(?:[A-Za-z0-9+/]\s*)*(?:=\s*){0,2}$/
