import type { JsonSchema } from '#core/component'

/** Keywords that some servers refuse in an enforced schema. The answer is checked against them here all the same. */
const LOCAL_ONLY = new Set(
  'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format minItems maxItems uniqueItems default'.split(
    ' ',
  ),
)

/**
 * The schema as servers enforce it: every object closed, every property required, no limits on values.
 * Source: OpenAI's structured outputs, `strict: true`
 */
export function strictSchema(schema: JsonSchema): JsonSchema {
  return strict(schema) as JsonSchema
}

function strict(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(strict)
  if (typeof node !== 'object' || node === null) return node
  const kept = Object.entries(node).filter(([keyword]) => !LOCAL_ONLY.has(keyword))
  const copy: Record<string, unknown> = Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, keyword === 'properties' ? each(value) : strict(value)]),
  )
  if (copy.type !== 'object' || copy.properties === undefined) return copy
  return { ...copy, required: Object.keys(copy.properties as object), additionalProperties: false }
}

/** Properties may have the names of keywords. */
function each(properties: unknown): Record<string, unknown> {
  const named = Object.entries(properties as Readonly<Record<string, unknown>>)
  return Object.fromEntries(named.map(([name, schema]) => [name, strict(schema)]))
}
