// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configurations hold references
import { expect, test } from 'vitest'
import { removeFromYaml } from './edit-yaml.ts'

test.each([
  ['# one\na: 1 # two\n# three\nb:\n  c: 3\n  d: 4\n', [['b', 'c']], '# one\na: 1 # two\n# three\nb:\n  d: 4\n'],
  [
    'a: [x, y, z]\n',
    [
      ['a', 2],
      ['a', 0],
    ],
    'a: [ y ]\n',
  ],
  ['a: "${b}" # kept\nc:\n', [['c']], 'a: "${b}" # kept\n'],
  ['a: &x { b: 1 }\nc: *x\n', [['a']], undefined],
  ['a: 1\n', [['b']], undefined],
  ['a: "\n', [['a']], undefined],
])('%j without %j', (text, paths, expected) => {
  expect(removeFromYaml(text, paths)).toBe(expected)
})
