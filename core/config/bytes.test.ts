import { expect, test } from 'vitest'
import { formatBytes, parseBytes } from './bytes.ts'

test.each([
  ['0', 0],
  ['512', 512],
  ['512B', 512],
  ['64KiB', 65_536],
  ['4MiB', 4_194_304],
  ['1.5GiB', 1_610_612_736],
  ['2TiB', 2_199_023_255_552],
  ['20kB', 20_000],
  ['20KB', 20_000],
  ['1 MB', 1_000_000],
  ['4mib', 4_194_304],
])('%s is %i bytes', (text, bytes) => {
  expect(parseBytes(text)).toBe(bytes)
})

test.each([
  ['', 'invalid size "": must be a number of bytes or have a unit, as in 64KiB or 4MiB'],
  ['4 M', 'invalid size "4 M": must be a number of bytes or have a unit, as in 64KiB or 4MiB'],
  ['-1MiB', 'invalid size "-1MiB": must be a number of bytes or have a unit, as in 64KiB or 4MiB'],
  ['MiB', 'invalid size "MiB": must be a number of bytes or have a unit, as in 64KiB or 4MiB'],
  ['1.5B', 'invalid size "1.5B": not a whole number of bytes'],
  ['99999999TiB', 'invalid size "99999999TiB": not a whole number of bytes'],
])('%j is refused', (text, message) => {
  expect(() => parseBytes(text)).toThrow(message)
})

test.each([0, 1, 1000, 1024, 1536, 4 << 20, 3 * 2 ** 40, 2 ** 50])('%i bytes read back', bytes => {
  expect(parseBytes(formatBytes(bytes))).toBe(bytes)
})
test('sizes print in the largest unit that leaves a whole number', () => {
  expect([0, 1500, 1024, 1536 << 10, 4 << 20].map(formatBytes)).toEqual(['0B', '1500B', '1KiB', '1536KiB', '4MiB'])
})
