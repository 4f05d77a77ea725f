import type { Observer } from './observer.ts'
import { after, longLength, skipField } from './wire.ts'

/** Bits of `PLACES`. */
const SPAN = 4
const SPAN_EVENT = 8
const SPAN_LINK = 16

/** A span: kind (6), attributes (9), events (11) with attributes (3), links (13) with attributes (4). */
export function walkSpan(o: Observer, b: Buffer, v: DataView, p: number, end: number): void {
  o.spanKind = 0
  while (p < end) {
    const tag = b[p++]!
    if (tag === 0x30) {
      const kind = b[p]!
      o.spanKind = kind < 6 ? kind : 0
    }
    if (tag !== 0x4a && tag !== 0x5a && tag !== 0x6a) {
      p = skipField(b, p, end, tag)
      continue
    }
    let n = b[p++]!
    if (n > 127) {
      n = longLength(b, p, n)
      p = after
    }
    if (tag === 0x4a) o.attribute(b, v, p, p + n, SPAN)
    else if (tag === 0x5a) walkPart(o, b, v, p, p + n, 0x1a, SPAN_EVENT)
    else walkPart(o, b, v, p, p + n, 0x22, SPAN_LINK)
    p += n
  }
}

/** Attributes of a part of a record: a span event, a span link, an exemplar. `wanted` is their tag. */
export function walkPart(
  o: Observer,
  b: Buffer,
  v: DataView,
  p: number,
  end: number,
  wanted: number,
  place: number,
): void {
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
    o.attribute(b, v, p, p + n, place)
    p += n
  }
}
