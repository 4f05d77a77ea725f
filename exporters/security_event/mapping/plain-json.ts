import type { Value } from '#core/data'
import { base64, isList } from './json-text.ts'

/** What `JSON.stringify` takes. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export interface JsonObject {
  [name: string]: Json
}

/** A value for `JSON.stringify`: bytes in base64, NaN and infinities `null`, integers beyond 2^53 as decimal strings. */
export function plainJson(value: Value): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : null
    case 'bigint':
      return String(value)
    default:
      if (value === null) return null
      if (value instanceof Uint8Array) return base64(value)
      return isList(value) ? value.map(plainJson) : plainMap(value)
  }
}

/** Without a prototype, so that no name is special. */
export function emptyObject(): JsonObject {
  return Object.create(null) as JsonObject
}

function plainMap(map: { readonly [name: string]: Value }): JsonObject {
  const plain = emptyObject()
  for (const name of Object.keys(map)) plain[name] = plainJson(map[name]!)
  return plain
}
