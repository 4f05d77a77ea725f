import { expect, test } from 'vitest'
import { coerceTexts } from './coerce.ts'

test.each([
  ['integer', '5', 5],
  ['integer', '5.5', 5.5],
  ['integer', 'five', 'five'],
  ['integer', '', ''],
  ['number', '-1e3', -1000],
  ['boolean', 'true', true],
  ['boolean', 'false', false],
  ['boolean', '1', '1'],
  ['string', '5', '5'],
])('%s %j becomes %j', (type, text, expected) => {
  const values = { x: text }
  coerceTexts({ properties: { x: { type } } }, values)
  expect(values.x).toBe(expected)
})

test('one value stands for a list where a list is wanted', () => {
  const schema = { properties: { x: { type: 'array', items: { type: 'integer' } } } }
  const all: Record<string, unknown>[] = [{ x: '1' }, { x: ['1', '2'] }, {}]
  for (const values of all) coerceTexts(schema, values)
  expect(all).toEqual([{ x: [1] }, { x: [1, 2] }, {}])
})
