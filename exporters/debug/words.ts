/** How the Collector's texts spell values: times, numbers, enums, attribute values. @module */
import type { AnyValueJson, DoubleJson } from './otlp-json.ts'

/** `2020-02-11 20:26:13.000000789 +0000 UTC` for nanoseconds since the Unix epoch. */
export function timeText(nanoseconds = '0'): string {
  const nanos = BigInt.asIntN(64, BigInt(nanoseconds))
  const fraction = ((nanos % SECOND) + SECOND) % SECOND
  const date = new Date(Number((nanos - fraction) / 1_000_000n)).toISOString()
  const digits = fraction === 0n ? '' : `.${String(fraction).padStart(9, '0').replace(/0+$/, '')}`
  return `${date.slice(0, 10)} ${date.slice(11, 19)}${digits} +0000 UTC`
}
const SECOND = 1_000_000_000n

/** An id in hex; nothing for one that is all zero. */
export function idText(hex = ''): string {
  return /[^0]/.test(hex) ? hex : ''
}

export const SPAN_KIND = ['Unspecified', 'Internal', 'Server', 'Client', 'Producer', 'Consumer']
export const STATUS_CODE = ['Unset', 'Ok', 'Error']
export const TEMPORALITY = ['Unspecified', 'Delta', 'Cumulative']
export const SEVERITY = ['Unspecified', ...['Trace', 'Debug', 'Info', 'Warn', 'Error', 'Fatal'].flatMap(fourOf)]

function fourOf(name: string): string[] {
  return [name, `${name}2`, `${name}3`, `${name}4`]
}

/** The word for a number of an enum; nothing for one that is not defined. */
export function wordFor(words: readonly string[], number = 0): string {
  return words[number] ?? ''
}

/** With six decimals: `15.000000`. */
export function fixedText(value: DoubleJson = 0): string {
  const number = Number(value)
  if (!Number.isFinite(number)) return notFinite(number)
  return Math.abs(number) < 1e21 ? number.toFixed(6) : `${BigInt(number)}.000000`
}

/** As short as possible, with an exponent below 1e-4 and from 1e21: `0.5`, `1e-05`, `1e+21`. */
export function shortText(value: DoubleJson = 0): string {
  const number = Number(value)
  if (!Number.isFinite(number)) return notFinite(number)
  const size = Math.abs(number)
  if (size !== 0 && (size < 1e-4 || size >= 1e21)) return number.toExponential().replace(/e([+-])(\d)$/, 'e$10$2')
  return String(number)
}

function notFinite(number: number): string {
  return Number.isNaN(number) ? 'NaN' : number > 0 ? '+Inf' : '-Inf'
}

/** A value by itself: strings bare, numbers in decimal, bytes in base64, lists and maps as JSON. */
export function valueText(value: AnyValueJson = {}): string {
  if (value.stringValue !== undefined) return value.stringValue
  if (value.bytesValue !== undefined) return value.bytesValue
  if (value.doubleValue !== undefined) return String(value.doubleValue)
  return kindOf(value) === 'Empty' ? '' : jsonText(value)
}

/** A value with its type: `Str(x)`, `Int(1)`, `Map({"a":1})`. */
export function typedText(value: AnyValueJson = {}): string {
  return `${kindOf(value)}(${valueText(value)})`
}

function kindOf(value: AnyValueJson): string {
  for (const [field, kind] of KINDS) if (value[field] !== undefined) return kind
  return 'Empty'
}

const KINDS = [
  ['stringValue', 'Str'],
  ['boolValue', 'Bool'],
  ['intValue', 'Int'],
  ['doubleValue', 'Double'],
  ['kvlistValue', 'Map'],
  ['arrayValue', 'Slice'],
  ['bytesValue', 'Bytes'],
] as const

/** Keys in order, integers of 64 bits exact. */
function jsonText(value: AnyValueJson): string {
  if (value.stringValue !== undefined) return JSON.stringify(value.stringValue)
  if (value.bytesValue !== undefined) return JSON.stringify(value.bytesValue)
  if (value.boolValue !== undefined) return String(value.boolValue)
  if (value.intValue !== undefined) return String(value.intValue)
  if (value.doubleValue !== undefined) return JSON.stringify(value.doubleValue)
  if (value.arrayValue !== undefined) return `[${(value.arrayValue.values ?? []).map(jsonText).join(',')}]`
  if (value.kvlistValue === undefined) return 'null'
  const entries = new Map((value.kvlistValue.values ?? []).map(each => [each.key ?? '', each.value ?? {}]))
  return `{${[...entries.keys()]
    .sort()
    .map(key => `${JSON.stringify(key)}:${jsonText(entries.get(key)!)}`)
    .join(',')}}`
}
