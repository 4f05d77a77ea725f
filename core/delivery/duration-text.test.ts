import { expect, test } from 'vitest'
import { durationText } from './duration-text.ts'

test.each([
  [0, '0ms'],
  [250, '250ms'],
  [250.1239, '250.124ms'],
  [1000, '1s'],
  [4873.4, '4.873s'],
  [60_000, '1m0s'],
  [90_500, '1m30.5s'],
  [3_661_000, '1h1m1s'],
])('%d ms is written %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})
