import { describe, expect, test } from 'vitest'
import { fixedText, idText, SEVERITY, shortText, timeText, typedText, valueText, wordFor } from './words.ts'

describe('a time', () => {
  test.each([
    ['0', '1970-01-01 00:00:00 +0000 UTC'],
    ['1', '1970-01-01 00:00:00.000000001 +0000 UTC'],
    ['1767225600120000000', '2026-01-01 00:00:00.12 +0000 UTC'],
    ['1767225600123456789', '2026-01-01 00:00:00.123456789 +0000 UTC'],
    // Beyond the signed range, as the Collector's clock sees it.
    ['18446744073709551615', '1969-12-31 23:59:59.999999999 +0000 UTC'],
  ])('%s is %s', (nanos, text) => {
    expect(timeText(nanos)).toBe(text)
  })
})

describe('a number', () => {
  test.each([
    [0, '0', '0.000000'],
    [15, '15', '15.000000'],
    [-1.5, '-1.5', '-1.500000'],
    [0.0001, '0.0001', '0.000100'],
    [0.00001, '1e-05', '0.000010'],
    [1.25e-12, '1.25e-12', '0.000000'],
    [123456789012, '123456789012', '123456789012.000000'],
    [1e20, '100000000000000000000', '100000000000000000000.000000'],
    [1e21, '1e+21', '1000000000000000000000.000000'],
    [2.5e100, '2.5e+100', `${BigInt(2.5e100)}.000000`],
    ['NaN', 'NaN', 'NaN'],
    ['Infinity', '+Inf', '+Inf'],
    ['-Infinity', '-Inf', '-Inf'],
  ])('%s is short %s, fixed %s', (value, short, fixed) => {
    expect([shortText(value), fixedText(value)]).toEqual([short, fixed])
  })
})

describe('a value', () => {
  test.each([
    [{}, '', 'Empty()'],
    [{ stringValue: 'a b' }, 'a b', 'Str(a b)'],
    [{ stringValue: '' }, '', 'Str()'],
    [{ boolValue: false }, 'false', 'Bool(false)'],
    [{ intValue: '-9007199254740993' }, '-9007199254740993', 'Int(-9007199254740993)'],
    [{ doubleValue: 1.5 }, '1.5', 'Double(1.5)'],
    [{ doubleValue: 1e-7 }, '1e-7', 'Double(1e-7)'],
    [{ doubleValue: 'NaN' }, 'NaN', 'Double(NaN)'],
    [{ bytesValue: 'AQI=' }, 'AQI=', 'Bytes(AQI=)'],
    [{ arrayValue: {} }, '[]', 'Slice([])'],
    [
      { arrayValue: { values: [{ stringValue: '<"' }, { intValue: '1' }, { boolValue: true }, {}] } },
      '["<\\"",1,true,null]',
      'Slice(["<\\"",1,true,null])',
    ],
    [
      {
        kvlistValue: {
          values: [
            { key: 'z', value: { intValue: '9007199254740993' } },
            { key: 'a', value: { kvlistValue: { values: [{ key: 'b', value: { doubleValue: 2.5 } }] } } },
          ],
        },
      },
      '{"a":{"b":2.5},"z":9007199254740993}',
      'Map({"a":{"b":2.5},"z":9007199254740993})',
    ],
  ])('%j', (value, bare, typed) => {
    expect([valueText(value), typedText(value)]).toEqual([bare, typed])
  })
})

test('an id that is all zero prints as nothing', () => {
  expect([idText(), idText('00000000'), idText('00000001')]).toEqual(['', '', '00000001'])
})

test('numbers of enums have words, those that are not defined none', () => {
  expect([0, 1, 9, 12, 24, 25].map(n => wordFor(SEVERITY, n))).toEqual([
    'Unspecified',
    'Trace',
    'Info',
    'Info4',
    'Fatal4',
    '',
  ])
})
