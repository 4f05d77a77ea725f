import type { Accumulation } from './accumulation.ts'

/** Monotonic sums: integers, exact to 64 bits, and doubles, as good as subtraction is. */
export const sums: Accumulation<number | bigint> = {
  read({ value }) {
    return typeof value === 'number' && !Number.isFinite(value) ? undefined : value
  },
  since(now, before) {
    if (now < before) return 'reset'
    // A series holds numbers of one type: it is part of its identity.
    if (typeof now === 'number') return now - Number(before)
    const difference = now - BigInt(before)
    // Only from below zero, where no such sum may be, can it be more than an integer holds.
    return BigInt.asIntN(64, difference) === difference ? difference : 'reset'
  },
  write(point, difference) {
    point.value = difference
  },
  remember: now => now,
}
