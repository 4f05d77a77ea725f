const MILLION = 1_000_000n
let lastSecond = Number.NaN
let lastText = ''

/**
 * Nanoseconds since the epoch as RFC 3339 in UTC: with milliseconds, and with nanoseconds where there are any.
 * @example 2026-01-01T00:00:00.000Z, 2026-01-01T00:00:00.000000001Z
 */
export function timestamp(nanos: bigint): string {
  const millis = Number(nanos / MILLION)
  const rest = Number(nanos % MILLION)
  const second = Math.floor(millis / 1000)
  if (second !== lastSecond) {
    lastText = new Date(second * 1000).toISOString().slice(0, -4)
    lastSecond = second
  }
  const text = lastText + String(millis - second * 1000).padStart(3, '0')
  return rest === 0 ? `${text}Z` : `${text}${String(rest).padStart(6, '0')}Z`
}

/** Whole milliseconds since the epoch. */
export function millisOf(nanos: bigint): number {
  return Number(nanos / MILLION)
}
