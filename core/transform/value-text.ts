import type { Value } from '#core/data'

/**
 * A value as the Collector turns it into text: strings bare, numbers in decimal, bytes in base64, lists and maps as JSON
 * with sorted keys, the empty value as nothing. Source: pdata `pcommon.Value.AsString`.
 */
export function valueAsText(value: Value): string {
  if (value === null) return ''
  if (typeof value === 'string') return value
  if (value instanceof Uint8Array) return base64(value)
  return typeof value === 'object' ? json(value) : String(value)
}

/** A number in decimal without an exponent, as short as possible. */
export function plainNumber(value: number): string {
  const text = String(value)
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (match === null) return text
  const [, sign, first, rest = '', exponent] = match
  const digits = `${first}${rest}`
  const point = 1 + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return `${sign}${digits.padEnd(point, '0')}`
}

function json(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : JSON.stringify(String(value))
  if (value === null || typeof value !== 'object') return String(value)
  if (value instanceof Uint8Array) return JSON.stringify(base64(value))
  if (isList(value)) return `[${value.map(json).join(',')}]`
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${json(each)}`).join(',')}}`
}

function isList(value: object): value is readonly Value[] {
  return Array.isArray(value)
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
}
