import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exponential, histogram, rig, sum } from './rig.test-support.ts'

const uint64 = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.bigInt({ min: 0n, max: 9n }))
const int32 = fc.oneof(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), fc.integer({ min: -3, max: 3 }))
const double = fc.oneof(fc.double(), fc.integer({ min: 0, max: 3 }))
const counts = fc.array(uint64, { maxLength: 4 })
const buckets = fc.record({ offset: int32, bucketCounts: counts })
const common = { timeUnixNano: fc.bigInt({ min: 0n, max: 6n }), flags: fc.integer({ min: 0, max: 2 }) }
const number = fc.oneof(
  fc.record({ ...common, asInt: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) }),
  fc.record({ ...common, asDouble: double }),
  fc.record(common),
)
const plain = fc.record({
  ...common,
  count: uint64,
  sum: double,
  bucketCounts: counts,
  explicitBounds: fc.array(double, { maxLength: 3 }),
})
const scaled = fc.record({
  ...common,
  count: uint64,
  sum: double,
  scale: int32,
  zeroCount: uint64,
  zeroThreshold: double,
  positive: buckets,
  negative: buckets,
})

test('whatever comes over the wire is converted, left out or passed on, and accounted for', async () => {
  const points = fc.record({ numbers: fc.array(number), plain: fc.array(plain), scaled: fc.array(scaled) })
  await fc.assert(
    fc.asyncProperty(points, fc.constantFrom('keep', 'drop'), async (all, mode) => {
      const r = rig({ initial_value: mode, reset_value: mode })
      await r.send(sum(all.numbers), histogram(all.plain), exponential(all.scaled))
      const sent = all.numbers.length + all.plain.length + all.scaled.length
      expect(r.sink.items + r.context.ledger.total('dropped')).toBe(sent)
    }),
    { numRuns: 300 },
  )
})
