import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseYaml } from './yaml-parse.ts'
import { printJson, stringifyYaml } from './yaml-print.ts'

describe('printed YAML', () => {
  test('is the plain style, with quotes where a word would be something else', () => {
    expect(stringifyYaml({ a: 'text', b: '0123', c: 'yes', d: '', e: null, f: [1, 'two'], g: {}, h: [] })).toBe(
      'a: text\nb: "0123"\nc: "yes"\nd: ""\ne: null\nf:\n  - 1\n  - two\ng: {}\nh: []\n',
    )
  })

  test.each([
    '0o17',
    '0b1',
    '1_000',
    '.5',
    '0x1F',
    '~',
    'Null',
    'TRUE',
    '.inf',
    '089',
    '<<',
    '- a',
    'a: b',
    '# x',
    '\u0085',
    '\ufeff',
    'a\nb\n',
    ' x ',
    '"q"',
    "it's",
    '\u2028',
    '\0',
  ])('%j reads back as the same string, as value and as key', text => {
    expect(parseYaml(stringifyYaml({ key: text, list: [text] }))).toEqual({ key: text, list: [text] })
    expect(parseYaml(stringifyYaml({ [text]: 1 }))).toEqual({ [text]: 1 })
  })

  test('reads back whatever was printed', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), value => {
        const plain = JSON.parse(JSON.stringify(value))
        const read = JSON.stringify(parseYaml(stringifyYaml(plain)), (_, item) =>
          typeof item === 'bigint' ? Number(item) : item,
        )
        expect(JSON.parse(read)).toEqual(plain)
      }),
      { numRuns: 500 },
    )
  })

  test('keeps 64-bit integers exact', () => {
    expect(stringifyYaml({ a: 9223372036854775807n })).toBe('a: 9223372036854775807\n')
    expect(printJson({ a: 9223372036854775807n })).toBe('{\n  "a": 9223372036854775807\n}\n')
  })
})

test('single values may carry a comment that tells of their path', () => {
  const value = { a: 1, b: [{ c: 'x' }, 2], d: {} }
  const printed = stringifyYaml(value, { comment: path => path.join('::') })
  expect(printed).toBe('a: 1 # a\nb:\n  - c: x # b::0::c\n  - 2 # b::1\nd: {}\n')
  expect(parseYaml(printed)).toEqual(value)
})
