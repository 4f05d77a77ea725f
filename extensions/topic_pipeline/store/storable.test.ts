import { expect, it } from 'vitest'
import { storable } from './storable.ts'

it.each([
  ['a\0b\0', 'ab'],
  ['a\ud800b', 'a\ufffdb'],
  ['\u{1f600} ünchanged', '\u{1f600} ünchanged'],
  [undefined, null],
  [true, 1],
  [false, 0],
  [null, null],
  [1.5, 1.5],
])('%j is stored as %j', (value, stored) => expect(storable(value)).toBe(stored))
