import { expect, test } from 'vitest'
import { validateJson } from './validate-json.ts'

const validate = validateJson({
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    at: { type: 'string', format: 'date-time' },
    id: { type: 'string', format: 'uuid' },
    home: { type: 'string', format: 'uri' },
    kind: { enum: ['a', 'b'] },
    'a/b': { type: 'array', items: { type: 'integer' } },
  },
  required: ['name'],
  additionalProperties: false,
})

test('a value that follows the schema has no faults', () => {
  expect(
    validate({
      name: 'x',
      at: '2026-01-02T03:04:05.6Z',
      id: '123e4567-e89b-42d3-a456-426614174000',
      home: 'https://example.com',
      kind: 'a',
      'a/b': [1],
    }),
  ).toEqual([])
})

test('all faults are told, each with a pointer', () => {
  expect(validate({ at: 'yesterday', id: '1', home: 'x', kind: 'c', 'a/b': [1, 'x'], extra: 1 })).toEqual([
    { pointer: '', message: "must have required property 'name'" },
    { pointer: '', message: 'must NOT have additional properties: extra' },
    { pointer: '/at', message: 'must match format "date-time"' },
    { pointer: '/id', message: 'must match format "uuid"' },
    { pointer: '/home', message: 'must match format "uri"' },
    { pointer: '/kind', message: 'must be equal to one of the allowed values: a, b' },
    { pointer: '/a~1b/1', message: 'must be integer' },
  ])
})

test('the value is left as it is', () => {
  const value = Object.freeze({ name: 'x' })
  expect(validateJson({ properties: { name: { default: 'y' }, other: { default: 1 } } })(value)).toEqual([])
})

test('a schema that cannot be compiled is told', () => {
  expect(() => validateJson({ type: 'nothing' })).toThrow()
})
