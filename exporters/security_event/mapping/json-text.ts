import type { Value } from '#core/data'

/**
 * A value as JSON: integers exact whatever their size, bytes in base64, NaN and the infinities as `null` because JSON has
 * no word for them, maps with their keys in order so that equal maps have equal texts.
 */
export function jsonText(value: Value): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null'
    case 'bigint':
    case 'boolean':
      return String(value)
    default:
      return value === null ? 'null' : nestedText(value)
  }
}

function nestedText(value: Exclude<Value, string | number | bigint | boolean | null>): string {
  if (value instanceof Uint8Array) return `"${base64(value)}"`
  if (isList(value)) return `[${value.map(jsonText).join(',')}]`
  const entries = Object.keys(value).sort()
  return `{${entries.map(name => `${JSON.stringify(name)}:${jsonText(value[name]!)}`).join(',')}}`
}

/** Whether a value is a list; `Array.isArray` does not narrow read-only lists. */
export function isList(value: unknown): value is readonly Value[] {
  return Array.isArray(value)
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}
