import { expect, test } from 'vitest'
import { configure } from '#core/testing'
import { memoryLimiterConfig } from './memory-limiter-options.ts'
import { memoryLimits } from './memory-limits.ts'

const MIB = 1 << 20

test.each([
  [{ limit_mib: 400 }, { soft: 320, hard: 400, spike: 80 }],
  [
    { limit_mib: 400, spike_limit_mib: 100 },
    { soft: 300, hard: 400, spike: 100 },
  ],
  [{ limit_percentage: 80 }, { soft: 640, hard: 800, spike: 160 }],
  [
    { limit_percentage: 80, spike_limit_percentage: 30 },
    { soft: 500, hard: 800, spike: 300 },
  ],
  [
    { limit_mib: 400, limit_percentage: 80, spike_limit_percentage: 30 },
    { soft: 320, hard: 400, spike: 80 },
  ],
])('of 1000 MiB, %j gives %j', (written, mib) => {
  const limits = memoryLimits(configure(memoryLimiterConfig, written), () => 1000 * MIB)
  expect(limits).toEqual(Object.fromEntries(Object.entries(mib).map(([name, value]) => [name, value * MIB])))
})

test('what the machine has is not asked where the limit is in MiB', () => {
  const never = () => {
    throw new Error('asked')
  }
  expect(memoryLimits(configure(memoryLimiterConfig, { limit_mib: 1 }), never).hard).toBe(MIB)
})
