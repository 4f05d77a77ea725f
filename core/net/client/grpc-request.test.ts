import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseGrpcTimeout } from '../server/grpc-timeout.ts'
import { gather, printGrpcTimeout } from './grpc-request.ts'

test('a timeout fits in eight digits and is never shorter than asked for', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e15, noNaN: true }), milliseconds => {
      const text = printGrpcTimeout(milliseconds)
      expect(text).toMatch(/^\d{1,8}[mSH]$/)
      const told = parseGrpcTimeout(text)!
      if (milliseconds < 99_999_999 * 3_600_000) expect(told).toBeGreaterThanOrEqual(milliseconds)
      expect(told).toBeGreaterThan(0)
    }),
  )
  expect([0.2, 5000, 99_999_999, 1e8].map(printGrpcTimeout)).toEqual(['1m', '5000m', '99999999m', '100000S'])
})

test('small pieces are joined, large ones are not copied', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9000), { maxLength: 12 }), sizes => {
      const pieces = sizes.map((size, i) => Buffer.alloc(size, i))
      const whole = Buffer.concat(pieces)
      const gathered = gather(pieces, true)
      const joined = Buffer.concat(gathered)
      expect([joined[0], joined.readUInt32BE(1)]).toEqual([1, whole.length])
      expect(joined.subarray(5).equals(whole)).toBe(true)
      const large: Buffer[] = pieces.filter(piece => piece.length >= 4096)
      expect(gathered.filter(piece => large.includes(piece))).toHaveLength(large.length)
      expect(gathered.length).toBeLessThanOrEqual(2 * large.length + 1)
    }),
  )
})
