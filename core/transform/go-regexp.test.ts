import { describe, expect, test } from 'vitest'
import { compileGoRegExp, InvalidPattern } from './go-regexp.ts'

const matches: readonly (readonly [string, string, boolean])[] = [
  ['auth.*', 'my-auth-service', true],
  ['^a.c$', 'a\nc', false],
  ['^a.c$', 'a\rc', true],
  ['(?s)^a.c$', 'a\nc', true],
  ['(?i)HELLO', 'say hello', true],
  ['a(?i)b', 'aB', true],
  ['a(?i)b', 'AB', false],
  ['(a(?i)b)c', 'aBc', true],
  ['(a(?i)b)c', 'aBC', false],
  ['(?i:a)b', 'Ab', true],
  ['(?i:a)b', 'AB', false],
  ['(?i)a(?-i)b', 'AB', false],
  ['(?m)^b$', 'a\nb\nc', true],
  ['^b$', 'a\nb\nc', false],
  ['(?i)a|b', 'B', true],
  ['\\Aab\\z', 'ab', true],
  ['\\Aab\\z', 'ab\n', false],
  ['[[:alpha:]_]+', '_x', true],
  ['^[]a]+$', ']a', true],
  ['^[^]a]$', 'b', true],
  ['^[[]$', '[', true],
  ['^[a\\-z]$', '-', true],
  ['^[a-]$', '-', true],
  ['\\Qa.b\\E+', 'a.bb', true],
  ['\\Qa.b\\E', 'axb', false],
  ['^\\s$', '\u00a0', false],
  ['^[\\s]$', '\t', true],
  ['^\\S$', '\u00a0', true],
  ['\\pL', 'é', true],
  ['\\p{Greek}', 'λ', true],
  ['\\P{Greek}', 'λ', false],
  ['\\p{^Lu}', 'a', true],
  ['^.$', '😀', true],
  ['^\\x{1F600}$', '😀', true],
  ['^\\x41$', 'A', true],
  ['^\\/api\\/\\-\\:\\"\\ x$', '/api/-:" x', true],
  ['{a}', '{a}', true],
  ['a{,2}', 'a{,2}', true],
  ['^a{2}$', 'aa', true],
  ['^a{2,}b{1,2}$', 'aaabb', true],
  ['a]b', 'a]b', true],
  ['SELECT \\* FROM USERS.*', 'SELECT * FROM USERS WHERE x', true],
]

test.each(matches)('%s on %j: %s', (pattern, text, expected) => {
  expect(compileGoRegExp(pattern).regexp.test(text)).toBe(expected)
})

describe('groups', () => {
  test.each([
    ['(?P<a>x)(y)(?<b>z)', ['a', '', 'b']],
    ['^\\/api\\/v1\\/document\\/(?P<documentId>.*)\\/update$', ['documentId']],
    ['(?:x)(?i)(?P<a>y)', ['a']],
    ['(?P<1st>x)', ['1st']],
    ['\\((?P<a>[(]+)\\)', ['a']],
    ['[(?P<a>]', []],
  ])('of %s are %j', (pattern, groups) => {
    expect(compileGoRegExp(pattern).groups).toEqual(groups)
  })

  test('are captured in order', () => {
    const { regexp } = compileGoRegExp('^(?P<protocol>.*):\\/\\/(?P<domain>.*)\\/(?P<path>.*)(\\?|\\&)(?P<query>.*)')
    expect(regexp.exec('http://example.com/path?a=1')?.slice(1)).toEqual(['http', 'example.com', 'path', '?', 'a=1'])
  })
})

test.each([
  '(',
  ')',
  '[a',
  'a**',
  '(?=a)',
  '(?!a)',
  '(a)\\1',
  '\\',
  '(?P<in.valid>x)',
  '(?P<a>x)(?P<a>y)',
  '\\y',
  '(?U)a*',
  '[[:^alpha:]]',
  '[[:^alpha:]]',
])('%s is refused', pattern => {
  expect(() => compileGoRegExp(pattern)).toThrow(InvalidPattern)
})
