import { goTypeOf } from './retrieved.ts'

/** The sentences of faults in options, in the Collector's words where it has them. None ends with a full stop. */
export const sentences = {
  /** A key that the section does not have. */
  invalidKeys: (...keys: readonly string[]) => `has invalid keys: ${keys.toSorted().join(', ')}`,
  required: () => 'must be specified',
  /** @param expected a Go type, as users of the Collector know the message */
  wrongType: (expected: string, value: unknown) =>
    `expected type '${expected}', got unconvertible type '${goTypeOf(value)}'`,
  notASection: (value: unknown) => `expected a map or struct, got "${kindOf(value)}"`,
  notAList: (value: unknown) => `source data must be an array or slice, got ${kindOf(value)}`,
  notASwitch: (value: unknown) =>
    `unexpected type ${goTypeOf(value)} for 'enabled': got '${shown(value)}' value expected 'true' or 'false'`,
  duplicateHeaders: (names: readonly string[]) => `duplicate keys in map-style list: [${names.toSorted().join(' ')}]`,
  outOfWords: (words: readonly unknown[], value: unknown) =>
    `must be one of ${words.map(word => JSON.stringify(word)).join(', ')}, got ${typeof value === 'string' ? JSON.stringify(value) : shown(value)}`,
  notWhole: (value: unknown) => `must be a whole number, got ${value}`,
  notFinite: (value: unknown) => `must be a finite number, got ${value}`,
  tooSmall: (minimum: number, value: unknown) => `must be at least ${minimum}, got ${value}`,
  tooLarge: (maximum: number, value: unknown) => `must be at most ${maximum}, got ${value}`,
  tooShort: (length: number) => (length === 1 ? 'must not be empty' : `must have at least ${length} characters`),
  tooFew: (items: number) => (items === 1 ? 'must not be empty' : `must have at least ${items} items`),
  negative: (written: unknown) => `must not be negative, got ${written}`,
} as const

/** A single value as it is; of maps and lists, which may hold secrets, only what they are. */
function shown(value: unknown): string {
  return typeof value === 'object' && value !== null ? goTypeOf(value) : String(value)
}

function kindOf(value: unknown): string {
  const type = goTypeOf(value)
  if (type.startsWith('map')) return 'map'
  return type.startsWith('[]') ? 'slice' : type
}
