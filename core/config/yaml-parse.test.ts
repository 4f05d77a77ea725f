import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MapNode } from './node.ts'
import { MAX_YAML_LENGTH, parseYaml, parseYamlNode, YamlError } from './yaml-parse.ts'

describe('a document', () => {
  test.each([
    ['', null],
    ['# only a comment', null],
    ['---\n', null],
    ['a:', { a: null }],
    ['? a\n? b', { a: null, b: null }],
    ['{a, b: c}', { a: null, b: 'c' }],
    ['a: 1\n---\nb: 2', { a: 1 }],
    ['1: x\ntrue: y\n0x10: z', { '1': 'x', true: 'y', '0x10': 'z' }],
    ['a: |\n  one\n  two\n', { a: 'one\ntwo\n' }],
    ['a: >-\n  one\n  two\n', { a: 'one two' }],
    ['a: !!int "5"\nb: !!str 5\nc: !mine 5', { a: 5, b: '5', c: '5' }],
    ['a: "0123"\nb: \'yes\'\nc: 0123', { a: '0123', b: 'yes', c: 83 }],
    ['"__proto__": 1', JSON.parse('{"__proto__": 1}')],
    ['base: &b {x: 1, y: 1}\nderived:\n  <<: *b\n  y: 2', { base: { x: 1, y: 1 }, derived: { x: 1, y: 2 } }],
    ['a: &a {x: 1}\nb: &b {x: 2, y: 2}\nc: {<<: [*a, *b]}', { a: { x: 1 }, b: { x: 2, y: 2 }, c: { x: 1, y: 2 } }],
    ['a: &x 1\nb: &x 2\nc: *x', { a: 1, b: 2, c: 2 }],
    ['"<<": 1', { '<<': 1 }],
  ])('%j', (text, expected) => {
    expect(parseYaml(text)).toEqual(expected)
  })

  test.each([
    ['a: 1\nb: 2\na: 3', 'mapping key "a" already defined at line 1', 3, 1],
    ['a: *nothing', 'unknown anchor referenced', 1, 4],
    ['a: &a [*a]', "anchor 'a' value contains itself", 1, 8],
    ['? [1]\n: 2', 'a key must be a single value', 1, 3],
    ['a: !!int hush', 'the value does not fit its tag tag:yaml.org,2002:int', 1, 10],
    ['a: {<<: 5}', 'map merge requires map or sequence of maps as the value', 1, 5],
    ['a:\n\tb: 1', 'tabs are not allowed as indentation', 2, 1],
    ['a: "hush', 'missing closing quote', 1, 4],
    ['a: b: hush', 'nested mappings are not allowed in compact mappings', 1, 4],
    ['a: @hush', 'plain value cannot start with reserved character @', 1, 4],
  ])('%j is refused: %s', (text, message, line, column) => {
    const error = thrown(text)
    expect({
      message: error.message,
      line: error.origin.line,
      column: error.origin.column,
      refused: error.refused,
    }).toEqual({
      message,
      line,
      column,
      refused: false,
    })
    expect(error.message).not.toContain('hush')
  })
})

describe('origins', () => {
  const text = 'receivers:\n  otlp:\n    protocols:\n      grpc:\n      http: {endpoint: "x"}\nlist:\n  - a\n  - b: 1\n'
  const root = parseYamlNode(text, 'c.yaml')

  test.each([
    ['receivers', 1, 1],
    ['receivers::otlp', 2, 3],
    ['receivers::otlp::protocols::grpc', 4, 7],
    ['receivers::otlp::protocols::http', 5, 7],
    ['receivers::otlp::protocols::http::endpoint', 5, 24],
    ['list', 6, 1],
    ['list::0', 7, 5],
    ['list::1', 8, 5],
    ['list::1::b', 8, 8],
  ])('%s is at %i:%i', (path, line, column) => {
    expect(root.get(path)?.origin).toEqual({ file: 'c.yaml', line, column })
    expect(root.get(path.split('::'))).toBe(root.get(path))
  })

  test('keys have theirs', () => {
    const http = root.get('receivers::otlp::protocols::http') as MapNode
    expect(http.keyOrigin('endpoint')).toEqual({ file: 'c.yaml', line: 5, column: 14 })
    expect(http.keys).toEqual(['endpoint'])
    expect([...http.entries()]).toEqual([['endpoint', http.get('endpoint')]])
  })

  test('of what is not there are those of what would hold it', () => {
    expect(root.originAt('receivers::otlp::missing::deep')).toEqual({ file: 'c.yaml', line: 2, column: 3 })
    expect(root.get('receivers::nope')).toBeUndefined()
    expect(root.get('list::7')).toBeUndefined()
    expect(root.get('receivers::otlp::protocols::grpc::x')).toBeUndefined()
  })
})

describe('hostile documents are refused in time', () => {
  const bomb = `a: &a [${'x,'.repeat(9)}]\n${[...'bcdefghij']
    .map((name, i) => `${name}: &${name} [${`*${'abcdefghij'[i]},`.repeat(9)}]\n`)
    .join('')}`
  const mapBomb = `a: &a {x: 1}\n${[...'bcdefghijklmnopqrstuvwxyz']
    .map(
      (name, i) =>
        `${name}: &${name} {p: *${'abcdefghijklmnopqrstuvwxyz'[i]}, q: *${'abcdefghijklmnopqrstuvwxyz'[i]}}\n`,
    )
    .join('')}`
  test.each([
    ['an alias bomb of lists', bomb, 'the document contains excessive aliasing'],
    ['an alias bomb of maps', mapBomb, 'the document contains excessive aliasing'],
    ['open brackets', '['.repeat(1e6), 'the document is nested too deep'],
    ['open braces', '{a: '.repeat(2e5), 'the document is nested too deep'],
    ['dashes', '- '.repeat(5e5), 'the document is nested too deep'],
    ['question marks', '? '.repeat(5e5), 'the document is nested too deep'],
    [
      'a stair of keys',
      Array.from({ length: 1000 }, (_, i) => `${' '.repeat(i)}a:\n`).join(''),
      'the document is nested too deep',
    ],
    ['an enormous text', 'x'.repeat(MAX_YAML_LENGTH + 1), `the document is larger than ${MAX_YAML_LENGTH} characters`],
    ['a long list', `[${'1,'.repeat(110_000)}]`, 'the document has too many values'],
  ])(
    '%s',
    (_, text, message) => {
      const error = thrown(text)
      expect(error.message).toBe(message)
      expect(error.refused).toBe(true)
    },
    15_000,
  )

  test('many keys are no trouble', () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `key${i}: ${i}\n`).join('')
    expect(Object.keys(parseYaml(text) as object)).toHaveLength(20_000)
  })

  test('any text is either read or a YamlError', () => {
    const piece = fc.constantFrom(
      ...' \n\t-?:,[]{}#&*!|>\'"%@`a1~=<',
      '\n  ',
      '- ',
      ': ',
      '---',
      '...',
      '<<: ',
      '&a ',
      '*a ',
      '!!int ',
      '\ufeff',
      '\0',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece, { maxLength: 40 }).map(p => p.join('')),
        ),
        text => {
          try {
            parseYaml(text)
          } catch (error) {
            expect(error).toBeInstanceOf(YamlError)
          }
        },
      ),
      { numRuns: 1000 },
    )
  })
})

function thrown(text: string): YamlError {
  try {
    parseYaml(text)
  } catch (error) {
    if (error instanceof YamlError) return error
    throw error
  }
  throw new Error('the document was read')
}
