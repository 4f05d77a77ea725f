import { type Observer, viewOf } from './observer.ts'
import { walkLogRecord } from './walk-log.ts'
import { walkMetric } from './walk-metric.ts'
import { walkSpan } from './walk-span.ts'
import { after, longLength, skipField } from './wire.ts'

/** The signals that are learned from, and their bits in `SIGNAL_TYPES`. */
export type LearnedSignal = 'metrics' | 'traces' | 'logs'
const BIT = { metrics: 1, traces: 2, logs: 4 } as const
const RECORD = { metrics: walkMetric, traces: walkSpan, logs: walkLogRecord } as const
type Record = (o: Observer, b: Buffer, v: DataView, p: number, end: number) => void

/** Bits of `PLACES`. */
const RESOURCE = 1
const SCOPE = 2

/**
 * Shows an observer every attribute, metric and event name of an OTLP request of `signal`. The three requests have the
 * same frame: resources (1) with attributes (1.1) and scopes (2), in these a scope (1) with attributes (3) and records (2).
 */
export function walk(o: Observer, signal: LearnedSignal, b: Buffer): void {
  const v = viewOf(b)
  each(b, 0, b.length, 0x0a, (p, end) => {
    o.beginResource(BIT[signal])
    o.spanKind = -1
    each(b, p, end, 0x0a, (rp, rend) => each(b, rp, rend, 0x0a, (q, stop) => o.attribute(b, v, q, stop, RESOURCE)))
    each(b, p, end, 0x12, (sp, send) => walkScope(o, b, v, sp, send, RECORD[signal]))
    o.endResource()
  })
}

function walkScope(o: Observer, b: Buffer, v: DataView, p: number, end: number, record: Record): void {
  while (p < end) {
    const tag = b[p++]!
    if (tag !== 0x0a && tag !== 0x12) {
      p = skipField(b, p, end, tag)
      continue
    }
    let n = b[p++]!
    if (n > 127) {
      n = longLength(b, p, n)
      p = after
    }
    if (tag === 0x12) record(o, b, v, p, p + n)
    else {
      o.spanKind = -1
      each(b, p, p + n, 0x1a, (q, stop) => o.attribute(b, v, q, stop, SCOPE))
    }
    p += n
  }
}

/** Calls `visit` with each field of that one-byte tag, a length-delimited one. */
function each(b: Buffer, p: number, end: number, wanted: number, visit: (p: number, end: number) => void): void {
  while (p < end) {
    const tag = b[p++]!
    if (tag !== wanted) {
      p = skipField(b, p, end, tag)
      continue
    }
    let n = b[p++]!
    if (n > 127) {
      n = longLength(b, p, n)
      p = after
    }
    visit(p, p + n)
    p += n
  }
}
