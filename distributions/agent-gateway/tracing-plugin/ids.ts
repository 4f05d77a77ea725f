import { createHash, randomFillSync } from 'node:crypto'

/** Whether a value is a W3C trace id: 32 lowercase hex digits, not all zero. */
export function isTraceId(value: unknown): value is string {
  return typeof value === 'string' && /^(?!0{32})[0-9a-f]{32}$/.test(value)
}

/** Whether a value is a W3C span id: 16 lowercase hex digits, not all zero. */
export function isSpanId(value: unknown): value is string {
  return typeof value === 'string' && /^(?!0{16})[0-9a-f]{16}$/.test(value)
}

/** A new random trace id. */
export function newTraceId(): string {
  return nonZero(16)
}

/** A new random span id. */
export function newSpanId(): string {
  return nonZero(8)
}

/**
 * An identifier made unreadable but still comparable: `sha256:` and the first 12 hex digits, the form the gateway's own
 * security records have. Identifiers with few possible values, telephone numbers among them, can be guessed from it.
 */
export function hashed(identifier: string): string {
  return `sha256:${createHash('sha256').update(identifier).digest('hex').slice(0, 12)}`
}

/**
 * Whether a trace belongs to the share `rate` (0..1). It folds the trace id as the ratio sampler of the OpenTelemetry
 * SDK for JavaScript does, which the gateway's own exporter asks about traces that begin with it.
 */
export function isSampled(traceId: string, rate: number): boolean {
  if (rate >= 1) return true
  let folded = 0
  for (let i = 0; i < 32; i += 8) folded = (folded ^ Number.parseInt(traceId.slice(i, i + 8), 16)) >>> 0
  return folded < Math.floor(rate * 0xffffffff)
}

/** Random bytes are drawn many at a time, because a draw costs far more than its bytes. */
const pool = Buffer.alloc(4096)
let next = pool.length

function nonZero(bytes: number): string {
  if (next + bytes > pool.length) {
    randomFillSync(pool)
    next = 0
  }
  const id = pool.toString('hex', next, next + bytes)
  next += bytes
  return /^0+$/.test(id) ? nonZero(bytes) : id
}
