import type { JsonSchema } from '#core/component'
import { SIGNAL_TYPES } from '../analysis/vocabulary.ts'

export const TEXT: JsonSchema = { type: 'string' }
export const COUNT: JsonSchema = { type: 'integer', minimum: 0 }
export const FLAG: JsonSchema = { type: 'boolean' }
export const TIME: JsonSchema = { type: 'string', format: 'date-time' }
export const SIGNAL: JsonSchema = { enum: SIGNAL_TYPES, description: 'Only what this signal carries.' }

/** An object with these properties, of which those not `optional` are always there. */
export function object(properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema {
  return { type: 'object', required: Object.keys(properties).filter(name => !optional.includes(name)), properties }
}

export function list(items: JsonSchema): JsonSchema {
  return { type: 'array', items }
}

/** Query parameters, none of them required: the route says in its own words what is missing. */
export function query(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties }
}
