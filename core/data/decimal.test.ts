import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalHigh, decimalLow, parseInteger, putSigned, putUnsigned } from './decimal.ts'

const MAX = 2n ** 64n
const edges = [0n, 1n, 9n, 10n, 2n ** 31n, 2n ** 32n, 2n ** 53n, 10n ** 18n, 10n ** 19n, 2n ** 63n, MAX]
const near = fc.constantFrom(...edges).chain(edge => fc.bigInt(edge - 3n, edge + 3n))
const any = fc.oneof(fc.bigInt(-MAX, MAX * 2n), near, fc.bigInt(-(2n ** 34n), 2n ** 34n))

function halves(value: bigint): [number, number] {
  return [Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n))]
}

describe('Decimals of 64 bits', () => {
  it('are written exactly', () => {
    fc.assert(
      fc.property(any, value => {
        const out = Buffer.alloc(24)
        const written = (end: number) => out.toString('latin1', 2, end)
        expect(written(putUnsigned(out, 2, ...halves(value)))).toBe(String(BigInt.asUintN(64, value)))
        expect(written(putSigned(out, 2, ...halves(value)))).toBe(String(BigInt.asIntN(64, value)))
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    [64, true, -(2n ** 63n), 2n ** 63n],
    [64, false, 0n, MAX],
    [32, true, -(2n ** 31n), 2n ** 31n],
    [32, false, 0n, 2n ** 32n],
  ] as const)('are read exactly, and refused outside of %i bits (signed: %s)', (bits, signed, least, limit) => {
    fc.assert(
      fc.property(any, fc.integer({ min: 0, max: 25 }), (value, zeros) => {
        const digits = String(value < 0n ? -value : value).padStart(zeros, '0')
        const text = Buffer.from(`x${value < 0n ? '-' : ''}${digits}x`)
        const fits = value >= least && value < limit
        expect(parseInteger(text, 1, text.length - 1, bits, signed)).toBe(fits)
        if (fits) expect([decimalLow, decimalHigh]).toEqual(halves(value))
      }),
      { numRuns: 2000 },
    )
  })

  it.each(['', '-', '1x', '1.5', '1e3', '+1', '--1', ' 1', '0x10', '99999999999999999999999'])('refuse %j', text => {
    expect(parseInteger(Buffer.from(text), 0, text.length, 64, true)).toBe(false)
  })

  it('take minus zero for zero', () => {
    expect(parseInteger(Buffer.from('-0'), 0, 2, 64, false)).toBe(true)
    expect([decimalLow, decimalHigh]).toEqual([0, 0])
  })
})
