import { expect, test } from 'vitest'
import { configure } from '#core/testing'
import { checkMemoryLimiter, memoryLimiterConfig } from './memory-limiter-options.ts'

const faults = (written: object) => [...checkMemoryLimiter(configure(memoryLimiterConfig, written))]

test('the defaults are the Collector’s, and say what must be set', () => {
  expect(configure(memoryLimiterConfig, {})).toEqual({
    check_interval: 0,
    limit_mib: 0,
    spike_limit_mib: 0,
    limit_percentage: 0,
    spike_limit_percentage: 0,
    min_gc_interval_when_soft_limited: 10_000,
    min_gc_interval_when_hard_limited: 0,
    max_gc_interval_when_soft_limited: 30_000,
    max_gc_interval_when_hard_limited: 30_000,
  })
  expect(faults({})).toEqual([
    "'check_interval' must be greater than zero",
    "'limit_mib' or 'limit_percentage' must be greater than zero",
  ])
})

test.each([
  [{ limit_mib: 400 }, undefined],
  [{ limit_percentage: 80, spike_limit_percentage: 25 }, undefined],
  [{ limit_mib: 400, spike_limit_mib: 400 }, "'spike_limit_mib' must be smaller than 'limit_mib'"],
  [
    { limit_percentage: 50, spike_limit_percentage: 50 },
    "'spike_limit_percentage' must be smaller than 'limit_percentage'",
  ],
  [
    { limit_percentage: 101 },
    "'limit_percentage' and 'spike_limit_percentage' must be greater than zero and less than or equal to hundred",
  ],
  [
    { limit_mib: 400, min_gc_interval_when_hard_limited: '11s' },
    "'min_gc_interval_when_soft_limited' should be larger than 'min_gc_interval_when_hard_limited'",
  ],
  [
    { limit_mib: 400, max_gc_interval_when_soft_limited: '5s', max_gc_interval_when_hard_limited: '5s' },
    "'max_gc_interval_when_soft_limited' must be greater than or equal to 'min_gc_interval_when_soft_limited' (or 0 to disable)",
  ],
  [
    {
      limit_mib: 400,
      min_gc_interval_when_hard_limited: '10s',
      max_gc_interval_when_hard_limited: '5s',
    },
    "'max_gc_interval_when_hard_limited' must be greater than or equal to 'min_gc_interval_when_hard_limited' (or 0 to disable)",
  ],
  [
    { limit_mib: 400, max_gc_interval_when_soft_limited: '20s' },
    "'max_gc_interval_when_soft_limited' should be larger than or equal to 'max_gc_interval_when_hard_limited' (when both are set)",
  ],
  [{ limit_mib: 400, max_gc_interval_when_soft_limited: '0s' }, undefined],
])('%j is told: %s', (written, fault) => {
  expect(faults({ check_interval: '1s', ...written })).toEqual(fault === undefined ? [] : [fault])
})
