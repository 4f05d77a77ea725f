import { expect, test } from 'vitest'
import { nameMatcher } from './match-name.ts'

test.each([
  ['http.*', 'http.method', true],
  ['http.*', 'http', false],
  ['http.*', 'xhttp.method', false],
  ['*', '', true],
  ['method', 'http.method.x', true],
  ['*.method', 'http.method', true],
  ['*.method', 'http.method.x', false],
  ['a*b*c', 'a-b-c', true],
  ['a*b*c', 'acb', false],
  ['a*a', 'a', false],
  ['a*bc*c', 'abc', false],
  ['h.p*', 'http', false],
])('%s on %s: %s', (pattern, name, expected) => {
  expect(nameMatcher(pattern)(name)).toBe(expected)
})
