/**
 * A parameter as both databases take it: without U+0000, which PostgreSQL refuses in texts, and with lone surrogates
 * replaced, which have no UTF-8.
 */
export function storable(value: unknown): unknown {
  if (value === undefined) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'string') return value
  const text = value.includes('\0') ? value.replaceAll('\0', '') : value
  return text.isWellFormed() ? text : text.toWellFormed()
}
