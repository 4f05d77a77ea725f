import { expect, test } from 'vitest'
import { FakeClock } from '#core/testing'
import { AllocatedBytes } from './allocated-bytes.ts'

/** Some 40 bytes an object, held only for a moment. */
function allocate(objects: number): number {
  let sum = 0
  for (let i = 0; i < objects; i++) sum += Object.keys({ [`k${i % 7}`]: [i, i + 1] }).length
  return sum
}

test('what is allocated is counted, collected or not, and never falls', async () => {
  const clock = new FakeClock()
  const bytes = new AllocatedBytes(clock)
  const before = bytes.read()
  allocate(1_000_000)
  const after = bytes.read()
  expect(after - before).toBeGreaterThan(40_000_000)
  allocate(200_000)
  await clock.advance(30_000)
  expect(bytes.read()).toBeGreaterThanOrEqual(after)
  bytes.close()
  expect(clock.pending).toBe(0)
})
