import type { MemoryLimiterConfig } from './memory-limiter-options.ts'

/** In bytes. */
export interface MemoryLimits {
  /** Above it data is refused: the hard limit less what may come between two looks. */
  readonly soft: number
  readonly hard: number
  readonly spike: number
}

const MIB = 1 << 20

/** The limits of a checked configuration; `total` is what percentages are taken of, in bytes. */
export function memoryLimits(config: MemoryLimiterConfig, total: () => number): MemoryLimits {
  if (config.limit_mib > 0) return limits(config.limit_mib * MIB, config.spike_limit_mib * MIB)
  const percent = total() / 100
  return limits(Math.floor(config.limit_percentage * percent), Math.floor(config.spike_limit_percentage * percent))
}

function limits(hard: number, given: number): MemoryLimits {
  const spike = given === 0 ? Math.floor(hard / 5) : given
  return { soft: hard - spike, hard, spike }
}
