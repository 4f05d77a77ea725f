/** What a hook hands over, of which nothing is certain. */
export type Fields = Readonly<Record<string, unknown>>

/** Longest text kept of an identifier or a name, so that a turn's state stays small. */
const MAX_TEXT = 256

const NONE: Fields = {}

/** The value as an object with fields; anything else counts as an object without any. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : NONE
}

/** A text that says something, at most 256 characters of it; anything else is undefined. */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  return value.length > MAX_TEXT ? value.slice(0, MAX_TEXT) : value
}

/** A finite number that is not negative; anything else is undefined. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY ? value : undefined
}

/** The elements of an array; anything else has none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
