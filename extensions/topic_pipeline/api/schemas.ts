import type { JsonSchema } from '#core/component'

export const TEXT: JsonSchema = { type: 'string' }
export const MAYBE_TEXT: JsonSchema = { type: ['string', 'null'] }
export const COUNT: JsonSchema = { type: 'integer', minimum: 0 }
export const FLAG: JsonSchema = { type: 'boolean' }
export const SCORE: JsonSchema = { type: ['number', 'null'] }
export const ID: JsonSchema = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }
export const MAYBE_ID: JsonSchema = { type: ['integer', 'null'] }
/** ISO 8601 in UTC, without a zone, for example `2026-11-19T10:00:00`. */
export const TIME: JsonSchema = { type: ['string', 'null'], description: 'ISO 8601 date-time in UTC, without zone.' }

/** An object with these properties, of which those not `optional` are always there. */
export function object(properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema {
  return { type: 'object', required: Object.keys(properties).filter(name => !optional.includes(name)), properties }
}

export function list(items: JsonSchema): JsonSchema {
  return { type: 'array', items }
}

/** Query parameters or body fields, none of them required: the route says in its own words what is missing. */
export function fields(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties }
}

/** The path parameter `id`. */
export const BY_ID: JsonSchema = { type: 'object', required: ['id'], properties: { id: ID } }

/** A `limit` that is pulled into 1 to `maximum` instead of being refused. */
export function limit(maximum: number): JsonSchema {
  return {
    type: 'integer',
    default: 20,
    description: `At most so many; 1 to ${maximum}, others are taken as the nearest.`,
  }
}

export function clamp(value: unknown, lowest: number, highest: number): number {
  return Math.min(highest, Math.max(lowest, Number(value)))
}
