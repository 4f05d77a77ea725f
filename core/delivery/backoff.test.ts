import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Backoff, type BackoffConfig } from './backoff.ts'

const CONFIG: BackoffConfig = {
  initial_interval: 5000,
  randomization_factor: 0.5,
  multiplier: 1.5,
  max_interval: 30_000,
}

test('without randomness the waits grow by the multiplier up to the maximum', () => {
  const backoff = new Backoff({ ...CONFIG, randomization_factor: 0 })
  expect(Array.from({ length: 7 }, () => backoff.next())).toEqual([
    5000, 7500, 11_250, 16_875, 25_312.5, 30_000, 30_000,
  ])
})

test('the draw covers the interval plus and minus the factor', () => {
  expect(new Backoff(CONFIG, () => 0).next()).toBe(2500)
  expect(new Backoff(CONFIG, () => 0.5).next()).toBe(5000)
  expect(new Backoff(CONFIG, () => 0.999999).next()).toBeCloseTo(7500, 1)
})

test('no wait leaves the bounds of its interval', () => {
  const config = fc.record({
    initial_interval: fc.integer({ min: 0, max: 10_000 }),
    randomization_factor: fc.double({ min: 0, max: 1, noNaN: true }),
    multiplier: fc.double({ min: 0, max: 5, noNaN: true }),
    max_interval: fc.integer({ min: 0, max: 60_000 }),
  })
  const draws = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(config, draws, (config, draws) => {
      let turn = 0
      const backoff = new Backoff(config, () => draws[turn++]!)
      let interval = config.initial_interval
      for (const _ of draws) {
        const wait = backoff.next()
        expect(wait).toBeGreaterThanOrEqual(interval * (1 - config.randomization_factor) - 1e-6)
        expect(wait).toBeLessThanOrEqual(interval * (1 + config.randomization_factor) + 1e-6)
        interval = Math.min(interval * config.multiplier, config.max_interval)
      }
    }),
  )
})
