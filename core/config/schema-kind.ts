import type { Schema } from './schema.ts'

/** The words of the vocabulary, as far as checking and printing must tell them apart. */
export type SchemaKind =
  | 'section'
  | 'map'
  | 'headers'
  | 'list'
  | 'duration'
  | 'bytes'
  | 'oneOf'
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'any'

/** Which word of the vocabulary declared a schema. */
export function kindOf(schema: Schema<unknown>): SchemaKind {
  switch (schema.received) {
    case 'headers':
      return 'headers'
    case 'milliseconds':
      return 'duration'
    case 'bytes':
      return 'bytes'
  }
  if (schema.enum !== undefined) return 'oneOf'
  switch (schema.type) {
    case 'object':
      return schema.properties === undefined ? 'map' : 'section'
    case 'array':
      return 'list'
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      return schema.type
    default:
      return 'any'
  }
}

/** The options of a section by name. */
export function optionsOf(schema: Schema<unknown>): { readonly [name: string]: Schema<unknown> } {
  return (schema.properties ?? {}) as { readonly [name: string]: Schema<unknown> }
}

/** What a map or a list holds. */
export function elementOf(schema: Schema<unknown>): Schema<unknown> {
  return (schema.items ?? schema.additionalProperties ?? {}) as Schema<unknown>
}
