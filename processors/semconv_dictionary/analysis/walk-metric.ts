import type { Observer } from './observer.ts'
import { walkPart } from './walk-span.ts'
import { after, longLength, skipField } from './wire.ts'

/** Bits of `PLACES`. */
const DATA_POINT = 32
const EXEMPLAR = 64

/** By the tag of the data: bit of the instrument, tags of a point's attributes and exemplars. Sums are told apart later. */
interface Kind {
  readonly instrument: number
  readonly attributes: number
  readonly exemplars: number
}
const KINDS: readonly (Kind | undefined)[] = Object.assign(new Array<Kind | undefined>(128).fill(undefined), {
  42: { instrument: 4, attributes: 0x3a, exemplars: 0x2a },
  58: { instrument: 2, attributes: 0x3a, exemplars: 0x2a },
  74: { instrument: 8, attributes: 0x4a, exemplars: 0x42 },
  82: { instrument: 16, attributes: 0x0a, exemplars: 0x5a },
  90: { instrument: 32, attributes: 0x3a, exemplars: 0 },
})
const SUM = 0x3a
const COUNTER = 1
/** Tag of an exemplar's attributes. */
const FILTERED = 0x3a

/** A metric: name (1), description (2), unit (3), and data of one of five kinds with points (1 each). */
export function walkMetric(o: Observer, b: Buffer, v: DataView, p: number, end: number): void {
  let name = p
  let nameEnd = p
  let unit = ''
  let description = ''
  let data = 0
  let dataEnd = 0
  let dataTag = 0
  o.spanKind = -1
  while (p < end) {
    const tag = b[p++]!
    if (tag > 127 || (tag & 7) !== 2) {
      p = skipField(b, p, end, tag)
      continue
    }
    let n = b[p++]!
    if (n > 127) {
      n = longLength(b, p, n)
      p = after
    }
    if (tag === 0x0a) {
      name = p
      nameEnd = p + n
    } else if (tag === 0x12) description = b.toString('utf8', p, Math.min(p + n, p + MAX_TEXT))
    else if (tag === 0x1a) unit = b.toString('utf8', p, Math.min(p + n, p + MAX_TEXT))
    else if (KINDS[tag] !== undefined) {
      dataTag = tag
      data = p
      dataEnd = p + n
    }
    p += n
  }
  const kind = KINDS[dataTag]
  const id = o.named(o.metrics, b, v, name, nameEnd)
  if (kind === undefined) return
  const monotonic = walkData(o, b, v, data, dataEnd, kind, id)
  if (id >= 0) o.describe(id, dataTag === SUM && monotonic ? COUNTER : kind.instrument, unit, description)
}

/** Bytes of a unit or description that are kept. */
const MAX_TEXT = 1024

/** Walks the points; tells whether the data is a monotonic sum. */
function walkData(o: Observer, b: Buffer, v: DataView, p: number, end: number, kind: Kind, id: number): boolean {
  let monotonic = false
  while (p < end) {
    const tag = b[p++]!
    if (tag === 0x0a) {
      let n = b[p++]!
      if (n > 127) {
        n = longLength(b, p, n)
        p = after
      }
      walkPoint(o, b, v, p, p + n, kind, id)
      p += n
    } else {
      if (tag === 0x18) monotonic = b[p] === 1
      p = skipField(b, p, end, tag)
    }
  }
  return monotonic
}

function walkPoint(o: Observer, b: Buffer, v: DataView, p: number, end: number, kind: Kind, id: number): void {
  const from = p
  let exemplars = false
  o.beginSet()
  while (p < end) {
    const tag = b[p++]!
    if (tag !== kind.attributes) {
      if (tag === kind.exemplars) exemplars = true
      p = skipField(b, p, end, tag)
      continue
    }
    let n = b[p++]!
    if (n > 127) {
      n = longLength(b, p, n)
      p = after
    }
    o.attribute(b, v, p, p + n, DATA_POINT)
    p += n
  }
  if (id >= 0) {
    o.metrics.count[id]!++
    o.endSet(o.metrics, id)
  }
  if (exemplars) walkExemplars(o, b, v, from, end, kind.exemplars)
}

function walkExemplars(o: Observer, b: Buffer, v: DataView, p: number, end: number, wanted: number): void {
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
    walkPart(o, b, v, p, p + n, FILTERED, EXEMPLAR)
    p += n
  }
}
