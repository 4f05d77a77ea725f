import { expect, test } from 'vitest'
import { stableNames } from './stable-names.ts'

function named(files: Readonly<Record<string, string>>): Record<string, string> {
  const bytes = new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]))
  return Object.fromEntries(
    [...stableNames(bytes, new Set(['main.js']))].map(([name, text]) => [name, Buffer.from(text).toString()]),
  )
}

test('names follow from content, not from where the sources lie', () => {
  const one = named({
    'main.js': 'import "./chunk-AAAAAAAA.js";import "./chunk-ZZZZZZZZ.js"',
    'chunk-AAAAAAAA.js': 'import "./chunk-ZZZZZZZZ.js";2',
    'chunk-ZZZZZZZZ.js': '1',
  })
  const other = named({
    'main.js': 'import "./chunk-QQQQQQQQ.js";import "./chunk-BBBBBBBB.js"',
    'chunk-QQQQQQQQ.js': 'import "./chunk-BBBBBBBB.js";2',
    'chunk-BBBBBBBB.js': '1',
  })
  expect(one).toEqual(other)
  expect(one).toEqual({
    'main.js': 'import "./chunk-2.js";import "./chunk.js"',
    'chunk.js': '1',
    'chunk-2.js': 'import "./chunk.js";2',
  })
})

test('maps are renamed with their files', () => {
  expect(
    Object.keys(named({ 'a-AAAAAAAA.js': '1//# sourceMappingURL=a-AAAAAAAA.js.map', 'a-AAAAAAAA.js.map': '{}' })),
  ).toEqual(['a.js', 'a.js.map'])
})
