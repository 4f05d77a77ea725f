import type { JsonSchema } from '#core/component'

/**
 * Gives texts from a URL the types that their schema asks for: numbers, booleans, and a list where one value stands for
 * many. Texts that do not fit stay as they are, for validation to refuse. Changes `values` in place.
 */
export function coerceTexts(schema: JsonSchema | undefined, values: Record<string, unknown>): void {
  const properties = (schema?.properties ?? {}) as { readonly [name: string]: JsonSchema }
  for (const [name, of] of Object.entries(properties)) {
    const value = values[name]
    if (value !== undefined) values[name] = coerce(of, value)
  }
}

function coerce(schema: JsonSchema, value: unknown): unknown {
  if (schema.type === 'array') {
    return (Array.isArray(value) ? value : [value]).map(each => coerce((schema.items ?? {}) as JsonSchema, each))
  }
  if (typeof value !== 'string') return value
  if (schema.type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value
  if (schema.type !== 'integer' && schema.type !== 'number') return value
  return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value
}
