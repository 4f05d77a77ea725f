/** Reads JSON of which nothing is certain. @module */

export type Json = { readonly [name: string]: unknown }

export function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

/** The objects of an array. */
export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(each => typeof each === 'object' && each !== null) : []
}

/** A text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** The texts of a list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf).filter(text => text !== undefined) : []
}

/** A finite number, also one written as a string. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** A date-time as milliseconds since the Unix epoch. */
export function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

/** The address of a page. */
export function urlOf(value: unknown): string | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.href.length <= 4_000 ? url.href : undefined
}

/** Without the members that are `undefined`. */
export function given<T extends object>(members: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T
}
