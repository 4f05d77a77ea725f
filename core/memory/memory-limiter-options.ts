import { type Static, t } from '#core/config'

/** The Collector's keys and defaults. Durations are received in milliseconds. */
export const memoryLimiterConfig = t.section({
  check_interval: t.duration({
    default: '0s',
    description: 'How often memory is looked at; must be set, `1s` is a good value.',
  }),
  limit_mib: t.integer({
    default: 0,
    minimum: 0,
    description: 'The hard limit on the memory of objects and buffers, in MiB. It wins over `limit_percentage`.',
  }),
  spike_limit_mib: t.integer({
    default: 0,
    minimum: 0,
    description:
      'What may come between two looks, in MiB; the soft limit is this much below the hard limit. `0`: 20 % of it.',
  }),
  limit_percentage: t.integer({
    default: 0,
    minimum: 0,
    description: 'The hard limit in percent of the memory of the cgroup or, without a limit there, of the machine.',
  }),
  spike_limit_percentage: t.integer({
    default: 0,
    minimum: 0,
    description: 'As `spike_limit_mib`, in percent of the same memory. `0`: 20 % of the hard limit.',
  }),
  min_gc_interval_when_soft_limited: t.duration({
    default: '10s',
    description: 'The least time from one forced collection to the next while above the soft limit.',
  }),
  min_gc_interval_when_hard_limited: t.duration({
    default: '0s',
    description: 'The same while above the hard limit. `0s`: one at each look.',
  }),
  max_gc_interval_when_soft_limited: t.duration({
    default: '30s',
    description:
      'Above the soft limit the interval doubles up to this while collections free less than 5 %. `0s`: it stays.',
  }),
  max_gc_interval_when_hard_limited: t.duration({
    default: '30s',
    description: 'The same above the hard limit.',
  }),
})

export type MemoryLimiterConfig = Static<typeof memoryLimiterConfig>

/** The Collector's own sentences. Negative values are faults by their types already. */
export function* checkMemoryLimiter(config: MemoryLimiterConfig): Iterable<string> {
  if (config.check_interval <= 0) yield "'check_interval' must be greater than zero"
  yield* intervalFaults(config)
  yield* limitFaults(config)
}

function* intervalFaults(config: MemoryLimiterConfig): Iterable<string> {
  const { min_gc_interval_when_soft_limited: minSoft, min_gc_interval_when_hard_limited: minHard } = config
  const { max_gc_interval_when_soft_limited: maxSoft, max_gc_interval_when_hard_limited: maxHard } = config
  if (minSoft < minHard) {
    yield "'min_gc_interval_when_soft_limited' should be larger than 'min_gc_interval_when_hard_limited'"
  }
  for (const [level, min, max] of [
    ['soft', minSoft, maxSoft],
    ['hard', minHard, maxHard],
  ] as const) {
    if (max === 0 || max >= min) continue
    yield `'max_gc_interval_when_${level}_limited' must be greater than or equal to ` +
      `'min_gc_interval_when_${level}_limited' (or 0 to disable)`
  }
  if (maxSoft > 0 && maxHard > 0 && maxSoft < maxHard) {
    yield "'max_gc_interval_when_soft_limited' should be larger than or equal to " +
      "'max_gc_interval_when_hard_limited' (when both are set)"
  }
}

function* limitFaults(config: MemoryLimiterConfig): Iterable<string> {
  const { limit_mib: limit, spike_limit_mib: spike } = config
  const { limit_percentage: percentage, spike_limit_percentage: spikePercentage } = config
  if (limit === 0 && percentage === 0) yield "'limit_mib' or 'limit_percentage' must be greater than zero"
  if (percentage > 100 || spikePercentage > 100) {
    yield "'limit_percentage' and 'spike_limit_percentage' must be greater than zero and less than or equal to hundred"
  }
  if (limit > 0 && limit <= spike) yield "'spike_limit_mib' must be smaller than 'limit_mib'"
  if (percentage > 0 && percentage <= spikePercentage) {
    yield "'spike_limit_percentage' must be smaller than 'limit_percentage'"
  }
}
