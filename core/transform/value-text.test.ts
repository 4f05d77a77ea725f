import { expect, test } from 'vitest'
import { plainNumber, valueAsText } from './value-text.ts'

test.each([
  [null, ''],
  ['a "b"', 'a "b"'],
  [true, 'true'],
  [9007199254740993n, '9007199254740993'],
  [1e21, '1e+21'],
  [Number.NaN, 'NaN'],
  [Number.NEGATIVE_INFINITY, '-Infinity'],
  [Buffer.of(1, 2), 'AQI='],
  [[], '[]'],
  [['a "b"', 1n, null, [false], Buffer.of(1, 2)], '["a \\"b\\"",1,null,[false],"AQI="]'],
  [{ b: 1.5, a: { c: 'x' } }, '{"a":{"c":"x"},"b":1.5}'],
])('%o as text is %s', (value, text) => {
  expect(valueAsText(value)).toBe(text)
})

test.each([
  [0, '0'],
  [-1.5, '-1.5'],
  [1e21, '1000000000000000000000'],
  [-1.25e22, '-12500000000000000000000'],
  [1e-7, '0.0000001'],
  [1.25e-8, '0.0000000125'],
])('%d without an exponent is %s', (value, text) => {
  expect(plainNumber(value)).toBe(text)
})
