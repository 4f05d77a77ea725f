import type { Observer } from './observer.ts'
import { after, longLength, skipField } from './wire.ts'

/** A bit of `PLACES`. */
const LOG = 128

/** A log record: attributes (6) and the name of the event (12), if it is one. */
export function walkLogRecord(o: Observer, b: Buffer, v: DataView, p: number, end: number): void {
  let name = 0
  let nameEnd = 0
  o.spanKind = -1
  o.beginSet()
  while (p < end) {
    const tag = b[p++]!
    if (tag !== 0x32 && tag !== 0x62) {
      p = skipField(b, p, end, tag)
      continue
    }
    let n = b[p++]!
    if (n > 127) {
      n = longLength(b, p, n)
      p = after
    }
    if (tag === 0x32) o.attribute(b, v, p, p + n, LOG)
    else {
      name = p
      nameEnd = p + n
    }
    p += n
  }
  if (nameEnd === name) return
  const id = o.named(o.events, b, v, name, nameEnd)
  if (id < 0) return
  o.events.count[id]!++
  o.endSet(o.events, id)
}
