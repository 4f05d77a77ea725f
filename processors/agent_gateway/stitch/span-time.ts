import type { Span } from '#core/data'

/** Start and end in microseconds since the Unix epoch, which a double holds exactly. */
export function spanTime(span: Span): { readonly start: number; readonly end: number } {
  return { start: Number(span.startTime / 1000n), end: Number(span.endTime / 1000n) }
}
