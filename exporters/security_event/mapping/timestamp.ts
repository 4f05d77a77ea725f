const MILLION = 1_000_000n
let lastMillis = Number.NaN
let lastText = ''

/**
 * Nanoseconds since the epoch as RFC 3339 in UTC: with milliseconds, and with nanoseconds where there are any.
 * @example 2026-01-01T00:00:00.000Z, 2026-01-01T00:00:00.000000001Z
 */
export function timestamp(nanos: bigint): string {
  const millis = Number(nanos / MILLION)
  const rest = Number(nanos % MILLION)
  if (millis !== lastMillis) {
    lastText = new Date(millis).toISOString()
    lastMillis = millis
  }
  if (rest === 0) return lastText
  return `${lastText.slice(0, -1)}${String(rest).padStart(6, '0')}Z`
}

/** Whole milliseconds since the epoch. */
export function millisOf(nanos: bigint): number {
  return Number(nanos / MILLION)
}
