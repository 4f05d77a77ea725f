import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DURATION_PATTERN, formatDuration, parseDuration } from './duration.ts'

describe('durations in the grammar of Go', () => {
  test.each([
    ['0', 0],
    ['5s', 5000],
    ['30s', 30_000],
    ['1478s', 1_478_000],
    ['-5s', -5000],
    ['+5s', 5000],
    ['-0', 0],
    ['+0', 0],
    ['5.0s', 5000],
    ['5.6s', 5600],
    ['5.s', 5000],
    ['.5s', 500],
    ['1.0s', 1000],
    ['1.004s', 1004],
    ['100.00100s', 100_001],
    ['10ns', 0.00001],
    ['11us', 0.011],
    ['12µs', 0.012],
    ['12μs', 0.012],
    ['13ms', 13],
    ['14s', 14_000],
    ['15m', 900_000],
    ['16h', 57_600_000],
    ['3h30m', 12_600_000],
    ['10.5s4m', 250_500],
    ['-2m3.4s', -123_400],
    ['1h2m3s4ms5us6ns', 3_723_004.005006],
    ['39h9m14.425s', 140_954_425],
    ['200ms', 200],
    ['1m30s', 90_000],
    ['2562047h47m16.854775807s', 9223372036854.775],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBeCloseTo(ms, 6)
  })

  test.each([
    ['', 'time: invalid duration ""'],
    ['3', 'time: missing unit in duration "3"'],
    ['5', 'time: missing unit in duration "5"'],
    ['-', 'time: invalid duration "-"'],
    ['s', 'time: invalid duration "s"'],
    ['.', 'time: invalid duration "."'],
    ['-.', 'time: invalid duration "-."'],
    ['.s', 'time: invalid duration ".s"'],
    ['+.s', 'time: invalid duration "+.s"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['1h 2m', 'time: unknown unit "h " in duration "1h 2m"'],
    ['x', 'time: invalid duration "x"'],
    ['1.2.3s', 'time: missing unit in duration "1.2.3s"'],
    ['3000000h', 'time: invalid duration "3000000h"'],
    ['\x85\x85', 'time: invalid duration "\\xc2\\x85\\xc2\\x85"'],
    ['hello \xffff" world', 'time: invalid duration "hello \\xc3\\xbfff\\" world"'],
  ])('%j is refused', (text, message) => {
    expect(() => parseDuration(text)).toThrow(message)
  })

  test.each([
    [0, '0s'],
    [0.000001, '1ns'],
    [0.0011, '1.1µs'],
    [2.2, '2.2ms'],
    [200, '200ms'],
    [3300, '3.3s'],
    [245_000, '4m5s'],
    [245_001, '4m5.001s'],
    [18_367_001, '5h6m7.001s'],
    [480_000.000001, '8m0.000000001s'],
    [3_600_000, '1h0m0s'],
    [-1500, '-1.5s'],
    [9_223_372_036_854, '2562047h47m16.854s'],
  ])('%d ms prints as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })

  test('what is printed reads back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 50), max: 2 ** 50 }), nanoseconds => {
        const ms = nanoseconds / 1e6
        expect(formatDuration(parseDuration(formatDuration(ms)))).toBe(formatDuration(ms))
        expect(Math.round(parseDuration(formatDuration(ms)) * 1e6)).toBe(nanoseconds)
      }),
    )
  })

  test('the pattern for editors takes what is taken', () => {
    const piece = fc.constantFrom('1', '20', '.', '.5', 'ns', 'us', 'µs', 'ms', 's', 'm', 'h', '+', 'd', ' ', '0')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), pieces => {
        const text = pieces.join('')
        let taken = true
        try {
          parseDuration(text)
        } catch {
          taken = false
        }
        expect(new RegExp(DURATION_PATTERN, 'u').test(text)).toBe(taken)
      }),
      { numRuns: 2000 },
    )
  })
})
