import { DURATION_PATTERN } from './duration.ts'
import type { Schema } from './schema.ts'
import { elementOf, kindOf, optionsOf } from './schema-kind.ts'

/** A JSON Schema (draft 2020-12) as plain data. */
export type JsonSchemaObject = { readonly [keyword: string]: unknown }

export interface JsonSchemaOptions {
  /** Whether `${env:NAME}` and its like may stand for any value, as in files that people write. Default true. */
  readonly references?: boolean
}

/**
 * What users may write, as JSON Schema for editors: durations and sizes as texts, `enabled` in sections that can be
 * switched, headers as map or list, nothing after a key where that keeps the default.
 */
export function jsonSchema(schema: Schema<unknown>, { references = true }: JsonSchemaOptions = {}): JsonSchemaObject {
  const convert = (inner: Schema<unknown>) => jsonSchema(inner, { references })
  return compact({
    ...(kindOf(schema) === 'section' ? section(schema, convert) : shape(schema, convert, references)),
    description: describe(schema),
    default: schema.default,
    deprecated: typeof schema.deprecated === 'string' || undefined,
    ...nullable(schema),
  })

  function nullable(inner: Schema<unknown>): JsonSchemaObject {
    const kind = kindOf(inner)
    if (kind === 'any') return {}
    const shaped = kind === 'section' ? { type: 'object' } : shape(inner, convert, references)
    const types = new Set([shaped.type ?? []].flat() as string[])
    if (types.size === 0) return {}
    if (kind === 'section' || inner.optional === true || inner.default !== undefined) types.add('null')
    if (references && !types.has('string')) types.add('string')
    const onlyReference = references && !([shaped.type].flat() as unknown[]).includes('string')
    return { type: types.size === 1 ? [...types][0] : [...types], ...(onlyReference && { pattern: REFERENCE }) }
  }
}

const REFERENCE = '\\$\\{'

type Convert = (schema: Schema<unknown>) => JsonSchemaObject

function section(schema: Schema<unknown>, convert: Convert): JsonSchemaObject {
  const properties = Object.fromEntries(
    Object.entries(optionsOf(schema)).map(([name, option]) => [name, convert(option)]),
  )
  const required = schema.required as readonly string[] | undefined
  return {
    properties: schema.switchable === true ? { enabled: ENABLED, ...properties } : properties,
    required: required?.length ? required : undefined,
    additionalProperties: false,
  }
}

const ENABLED = {
  type: 'boolean',
  description: 'Whether the section is on; `false` switches it off whatever else is written.',
  default: true,
}

function shape(schema: Schema<unknown>, convert: Convert, references: boolean): JsonSchemaObject {
  const orReference = (pattern: string) => (references ? `(?:${pattern})|${REFERENCE}` : pattern)
  switch (kindOf(schema)) {
    case 'map':
      return { type: 'object', additionalProperties: convert(elementOf(schema)) }
    case 'headers':
      return { type: ['object', 'array'], additionalProperties: HEADER, items: PAIR }
    case 'list':
      return { type: ['array', 'string'], items: convert(elementOf(schema)), minItems: schema.minItems }
    case 'duration':
      return { type: ['string', 'integer'], pattern: orReference(DURATION_PATTERN), minimum: 0 }
    case 'bytes':
      return {
        type: ['string', 'integer'],
        pattern: orReference('^[0-9]+(\\.[0-9]+)? ?([kKmMgGtT]i?)?[bB]?$'),
        minimum: 0,
      }
    case 'oneOf': {
      const words = schema.enum as readonly unknown[]
      const nothing = schema.optional === true || schema.default !== undefined ? [null] : []
      const capitals = schema.anyCase === true ? words.map(word => capitalized(String(word))) : []
      const choice = { enum: [...words, ...capitals, ...nothing] }
      return references ? { anyOf: [choice, { type: 'string', pattern: REFERENCE }] } : choice
    }
    case 'string':
      return {
        type: 'string',
        minLength: schema.minLength,
        pattern: typeof schema.pattern === 'string' ? orReference(schema.pattern) : undefined,
        format: schema.secret === true ? 'password' : undefined,
      }
    case 'integer':
    case 'number':
      return { type: schema.type, minimum: schema.minimum, maximum: schema.maximum }
    case 'boolean':
      return { type: 'boolean' }
    default:
      return {}
  }
}

const HEADER = { type: ['string', 'null'], format: 'password' }
const PAIR = {
  type: 'object',
  properties: { name: { type: 'string' }, value: HEADER },
  required: ['name', 'value'],
  additionalProperties: false,
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function describe(schema: Schema<unknown>): string | undefined {
  if (typeof schema.deprecated !== 'string') return schema.description
  return `Deprecated: ${schema.deprecated}. ${schema.description ?? ''}`.trim()
}

function compact(object: JsonSchemaObject): JsonSchemaObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}
