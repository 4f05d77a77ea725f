import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { explicitScalar, resolvePlain } from './scalar.ts'

describe('a plain scalar means what go-yaml v3 makes of it', () => {
  test.each([
    ['', null],
    ['~', null],
    ['null', null],
    ['Null', null],
    ['nULL', 'nULL'],
    ['true', true],
    ['TRUE', true],
    ['tRue', 'tRue'],
    ['False', false],
    ['yes', 'yes'],
    ['on', 'on'],
    ['off', 'off'],
    ['n', 'n'],
    ['0', 0],
    ['-0', 0],
    ['123', 123],
    ['+123', 123],
    ['-1', -1],
    ['0123', 83],
    ['-0123', -83],
    ['089', 89],
    ['0o17', 15],
    ['0O17', 15],
    ['0x1F', 31],
    ['-0x1f', -31],
    ['0b101', 5],
    ['1_000', 1000],
    ['0x', '0x'],
    ['0b2', '0b2'],
    ['1e3', 1000],
    ['1E+2', 100],
    ['.5', 0.5],
    ['+.5', 0.5],
    ['1.', 1],
    ['-1.5', -1.5],
    ['.', '.'],
    ['-', '-'],
    ['1e400', '1e400'],
    ['1.2.3', '1.2.3'],
    ['.inf', Number.POSITIVE_INFINITY],
    ['-.Inf', Number.NEGATIVE_INFINITY],
    ['.NaN', Number.NaN],
    ['Infinity', 'Infinity'],
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['18446744073709551615', 18446744073709551615n],
    ['18446744073709551616', 2 ** 64],
    ['12:30:45', '12:30:45'],
    ['2023-03-20T03:17:55.432328Z', '2023-03-20T03:17:55.432328Z'],
    ['2023-03-20', '2023-03-20'],
    ['10s', '10s'],
    ['::1', '::1'],
    ['=', '='],
  ])('%s is %s', (text, expected) => {
    expect(resolvePlain(text)).toEqual(expected)
  })

  test('and an integer written in any base is itself', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.constantFrom(2, 8, 10, 16), (value, base) => {
        const prefix = { 2: '0b', 8: '0o', 10: '', 16: '0x' }[base]
        expect(BigInt(resolvePlain(prefix + value.toString(base)) as number | bigint)).toBe(value)
      }),
    )
  })
})

test.each([
  ['!!int', '5', 5],
  ['!!int', 'x', undefined],
  ['!!float', '5', 5],
  ['!!bool', 'true', true],
  ['!!bool', 'yes', undefined],
  ['!!null', '', null],
  ['!!str', '0123', '0123'],
  ['tag:yaml.org,2002:str', '0123', '0123'],
  ['!!binary', 'aGk=', 'hi'],
  ['!!binary', '%', undefined],
  ['!mine', '5', '5'],
])('%s %s is %s', (tag, text, expected) => {
  expect(explicitScalar(tag, text)).toEqual(expected)
})
