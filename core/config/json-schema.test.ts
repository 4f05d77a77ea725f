// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references may stand for any value
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { check } from './check.ts'
import { jsonSchema } from './json-schema.ts'
import { fromPlain } from './node.ts'
import { type Schema, t } from './schema.ts'

const o = { description: 'What it is for.' }
const strict = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true, formats: { password: true } })

function agrees(schema: Schema<unknown>, value: unknown): { ours: boolean; ajv: boolean } {
  const ajv = strict.validate(jsonSchema(schema, { references: false }), value)
  return { ours: check(schema, fromPlain(value)).faults === undefined, ajv }
}

describe('for editors', () => {
  test('an option says what may be written, what it is for and what it is by default', () => {
    const schema = t.section({
      timeout: t.duration({ default: '200ms', description: 'How long.' }),
      verbosity: t.oneOf(['basic', 'detailed'], { default: 'basic', description: 'How much.' }),
      password: t.optional(t.secret({ description: 'What only we know.' })),
      old: t.optional(t.string({ description: 'Once.', deprecated: 'use timeout' })),
      queue: t.unlessDisabled(t.section({ size: t.integer({ default: 5, minimum: 1, description: 'How many.' }) }), o),
    })
    const written = jsonSchema(schema)
    expect(written).toMatchObject({
      type: ['object', 'null', 'string'],
      additionalProperties: false,
      properties: {
        timeout: { description: 'How long.', default: '200ms', type: ['string', 'integer', 'null'] },
        verbosity: {
          anyOf: [{ enum: ['basic', 'detailed', null] }, { type: 'string', pattern: '\\$\\{' }],
          default: 'basic',
        },
        password: { format: 'password' },
        old: { deprecated: true, description: 'Deprecated: use timeout. Once.' },
        queue: {
          properties: {
            enabled: { type: 'boolean', default: true },
            size: { type: ['integer', 'null', 'string'], minimum: 1, pattern: '\\$\\{', default: 5 },
          },
        },
      },
    })
    expect(strict.validate(written, { timeout: '${env:T}', queue: '${file:q.yaml}', verbosity: '${V}' })).toBe(true)
    expect(strict.validate(written, { queue: { size: 'many' } })).toBe(false)
  })

  test('what must be written is required', () => {
    expect(jsonSchema(t.section({ a: t.string(o), b: t.optional(t.string(o)) }))).toMatchObject({ required: ['a'] })
  })
})

/** Random declarations over all words of the vocabulary. */
const leaf: fc.Arbitrary<Schema<unknown>> = fc.oneof(
  fc.constant(t.string(o)),
  fc.constant(t.string({ ...o, minLength: 2, pattern: '^a' })),
  fc.constant(t.secret(o)),
  fc.constant(t.integer({ ...o, minimum: 0, maximum: 100 })),
  fc.constant(t.number({ ...o, minimum: 0.5 })),
  fc.constant(t.boolean(o)),
  fc.constant(t.duration(o)),
  fc.constant(t.bytes(o)),
  fc.constant(t.oneOf(['aa', 'bb', 1], o)),
  fc.constant(t.any(o)),
)
function declarations(depth: number): fc.Arbitrary<Schema<unknown>> {
  if (depth === 0) return leaf
  const inner = declarations(depth - 1)
  const withDefaults = inner.map(schema => t.optional(schema))
  return fc.oneof(
    leaf,
    inner.map(schema => t.list(schema, { ...o, minItems: 1 })),
    inner.map(schema => t.map(schema, o)),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(inner, withDefaults)).map(fields => t.section(fields)),
  )
}

/** Values that are often nearly right. */
const values = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('aa', 'a', '', 'b', '5s', '4MiB', 'x', true, false, 0, 1, 5, 101, -1, 0.5, 1.5, '1.5h'),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('value'), { maxKeys: 3 }),
    fc.array(tie('value'), { maxLength: 2 }),
  ),
})).value

test('the published schema and the checker agree on what may be written', () => {
  fc.assert(
    fc.property(declarations(2), values, (schema, value) => {
      // A single text where a list is wanted is split, and its parts are then checked: more than a schema can say.
      fc.pre(!splits(schema, value))
      const { ours, ajv } = agrees(schema, value)
      expect(ours, JSON.stringify({ schema, value })).toBe(ajv)
    }),
    { numRuns: 800 },
  )
})

function splits(schema: Schema<unknown>, value: unknown): boolean {
  if (schema.type === 'array' && typeof value === 'string') return true
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, child]) => {
    const properties = (schema.properties ?? {}) as Record<string, Schema<unknown>>
    const inner = properties[key] ?? schema.items ?? schema.additionalProperties
    return typeof inner === 'object' && splits(inner as Schema<unknown>, child)
  })
}
