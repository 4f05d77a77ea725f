import { VALUE_KINDS, wordsOf } from '../analysis/vocabulary.ts'

/** Kinds of values that registries have a type for, beside `any`. */
const TYPED: ReadonlySet<string> = new Set([
  'string',
  'boolean',
  'int',
  'double',
  'string[]',
  'boolean[]',
  'int[]',
  'double[]',
])

/**
 * The type that a registry gives to what was seen: whole numbers and others together are `double`, what does not go
 * together is `any`.
 * @param values bits of `VALUE_KINDS`
 */
export function registryType(values: number): string {
  const kinds = wordsOf<string>(VALUE_KINDS, values).filter(kind => kind !== 'empty')
  if (kinds.length === 1) return TYPED.has(kinds[0]!) ? kinds[0]! : 'any'
  if (kinds.length === 2 && kinds[0] === 'int' && kinds[1] === 'double') return 'double'
  if (kinds.length === 2 && kinds[0] === 'int[]' && kinds[1] === 'double[]') return 'double[]'
  return 'any'
}
