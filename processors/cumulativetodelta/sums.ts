import type { Accumulation } from './accumulation.ts'

/** Monotonic sums: integers, exact to 64 bits, and doubles, as good as subtraction is. */
export const sums: Accumulation<number | bigint> = {
  read({ value }) {
    return typeof value === 'number' && !Number.isFinite(value) ? undefined : value
  },
  since(now, before) {
    if (now < before) return 'reset'
    // A series holds numbers of one type: it is part of its identity.
    return typeof now === 'bigint' ? now - BigInt(before) : now - Number(before)
  },
  write(point, difference) {
    point.value = difference
  },
  remember: now => now,
}
