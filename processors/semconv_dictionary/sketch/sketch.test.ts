import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hashBytes, hashLow } from '../analysis/hash.ts'
import { EXACT_LIMIT, Sketch } from './sketch.ts'

const bytes = Buffer.alloc(16)
const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The text `user-<n>` as an encoded string value: what a sketch meets in life. */
function addUser(sketch: Sketch, n: number, seed: number): boolean {
  let at = bytes.write('\x0a\x00user-', 0, 'latin1')
  const digits = String(n)
  for (let i = 0; i < digits.length; i++) bytes[at++] = digits.charCodeAt(i)
  bytes[1] = at - 2
  const high = hashBytes(bytes, view, 0, at, seed)
  return sketch.add(high, hashLow)
}

function sketchOf(from: number, to: number, seed = 1): Sketch {
  const sketch = new Sketch()
  for (let n = from; n < to; n++) addUser(sketch, n, seed)
  return sketch
}

describe('a sketch', () => {
  test('is exact up to 256 values', () => {
    for (const count of [0, 1, 2, 100, EXACT_LIMIT]) {
      const sketch = sketchOf(0, count)
      expect([sketch.cardinality, sketch.estimated, sketch.exactHashes]).toEqual([count, false, count])
    }
  })

  test('does not jump where it begins to estimate', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const sketch = sketchOf(0, EXACT_LIMIT, seed)
      let before: number = EXACT_LIMIT
      for (let n = EXACT_LIMIT; n < 400; n++) {
        addUser(sketch, n, seed)
        expect(sketch.cardinality - before, `seed ${seed}, value ${n}`).toBeGreaterThanOrEqual(0)
        expect(sketch.cardinality - before, `seed ${seed}, value ${n}`).toBeLessThanOrEqual(3)
        before = sketch.cardinality
      }
    }
  })

  test('counts a value once', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2000 }), { maxLength: 3000 }), values => {
        const once = new Sketch()
        const often = new Sketch()
        for (const n of new Set(values)) addUser(once, n, 7)
        for (const n of values) addUser(often, n, 7)
        for (const n of values) expect(addUser(often, n, 7)).toBe(false)
        expect(often.cardinality).toBe(once.cardinality)
      }),
      { numRuns: 30 },
    )
  })

  test('merged from parts tells what one of the whole tells', () => {
    fc.assert(
      fc.property(fc.nat(1500), fc.nat(1500), fc.nat(1500), (a, b, c) => {
        const [from, middle, to] = [a, b, c].sort((x, y) => x - y) as [number, number, number]
        const whole = sketchOf(from, to)
        const merged = sketchOf(from, middle)
        const changed = merged.merge(sketchOf(Math.max(from, middle - 50), to))
        expect(Math.abs(merged.cardinality - whole.cardinality)).toBeLessThanOrEqual(
          Math.ceil(whole.cardinality * 0.03),
        )
        expect(merged.merge(whole)).toBe(false)
        if (to > middle && to - from <= EXACT_LIMIT) expect(changed).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  test('comes back from storage as it was', () => {
    for (const count of [0, 5, EXACT_LIMIT, EXACT_LIMIT + 1, 5000]) {
      const sketch = sketchOf(0, count)
      const restored = Sketch.decode(sketch.encode())
      expect([restored.cardinality, restored.exactHashes]).toEqual([sketch.cardinality, sketch.exactHashes])
      expect(restored.merge(sketch)).toBe(false)
    }
  })

  test.each([[[]], [[3, 1, 2]], [[1, 0]], [[2, 0, 0]]])('does not read %j', damaged => {
    expect(() => Sketch.decode(Buffer.from(damaged))).toThrow(/^Cannot read a sketch of \d+ bytes/)
  })

  test('gives up its hashes when asked, and hardly changes what it tells', () => {
    const sketch = sketchOf(0, 200)
    sketch.demote()
    expect([sketch.exactHashes, sketch.estimated, sketch.cardinality]).toEqual([0, true, 200])
  })
})

test('the error over 100 seeds is at most 1.8 % RMS and 6 % at worst, up to a million values', {
  timeout: 300_000,
}, () => {
  const at = [1_000, 10_000, 100_000, 1_000_000]
  const squares = at.map(() => 0)
  let worst = 0
  for (let seed = 1; seed <= 100; seed++) {
    const sketch = new Sketch()
    let n = 0
    at.forEach((count, i) => {
      for (; n < count; n++) addUser(sketch, n, Math.imul(seed, 0x2545f491))
      const error = sketch.cardinality / count - 1
      squares[i]! += error * error
      worst = Math.max(worst, Math.abs(error))
    })
  }
  const rms = squares.map(sum => Math.sqrt(sum / 100))
  expect(
    Math.max(...rms),
    `RMS ${rms.map(x => (x * 100).toFixed(2))} %, worst ${(worst * 100).toFixed(2)} %`,
  ).toBeLessThan(0.018)
  expect(worst).toBeLessThan(0.06)
})
