import type { Value } from '#core/data'
import { base64, jsonText } from './json-text.ts'

/** A value as text for fields that hold strings: strings as they are, bytes in base64, lists and maps as JSON. */
export function valueText(value: Value | undefined): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (value instanceof Uint8Array) return base64(value)
  return jsonText(value)
}
