import { AttributesView } from './attributes.ts'
import { Each } from './each.ts'
import { readBytes, readDouble, readFixed64, readMessage, readSfixed64, readVarintList } from './fields.ts'
import { EXEMPLAR } from './levels.ts'
import { fieldEnd, scan } from './locate.ts'
import type { Node } from './node.ts'
import type { Attributes, Exemplar, ExponentialBuckets } from './records.ts'
import { ChildWalk } from './walk.ts'
import { varint } from './wire.ts'

const NO_BUCKETS: ExponentialBuckets = { offset: 0, bucketCounts: [] }

/** The number of a data point or exemplar, which is in one field or in the other. */
export function numberOf(node: Node, doubleField: number, intField: number): number | bigint | undefined {
  const asInt = readSfixed64(node, intField)
  return asInt === undefined ? readDouble(node, doubleField) : asInt
}

/** The buckets in a field of an exponential histogram point. */
export function bucketsOf(point: Node, field: number): ExponentialBuckets {
  const message = readMessage(point, field)
  if (message === undefined) return NO_BUCKETS
  const { b, start, end } = message
  const at = scan(b, start, end, 1)
  const zigzag = at < 0 ? 0 : varint(b, at)
  return { offset: (zigzag >>> 1) ^ -(zigzag & 1), bucketCounts: readVarintList(b, start, end, 2) }
}

/** The quantiles of a summary point. */
export function quantilesOf(point: Node): { quantile: number; value: number }[] {
  const { b, v } = point.draft
  const found: { quantile: number; value: number }[] = []
  let p = point.start
  for (;;) {
    p = scan(b, p, point.end, 6)
    if (p < 0) return found
    const end = fieldEnd
    const quantile = scan(b, p, end, 1)
    const value = scan(b, p, end, 2)
    found.push({
      quantile: quantile < 0 ? 0 : v.getFloat64(quantile, true),
      value: value < 0 ? 0 : v.getFloat64(value, true),
    })
    p = end
  }
}

class ExemplarView implements Exemplar {
  readonly #node: Node

  constructor(node: Node) {
    this.#node = node
  }

  get time(): bigint {
    return readFixed64(this.#node, 2)
  }

  get value(): number | bigint | undefined {
    return numberOf(this.#node, 3, 6)
  }

  get traceId(): Uint8Array {
    return readBytes(this.#node, 5)
  }

  get spanId(): Uint8Array {
    return readBytes(this.#node, 4)
  }

  get filteredAttributes(): Attributes {
    return new AttributesView(this.#node)
  }
}

/** The exemplars of a data point. */
export function exemplarsOf(point: Node): Iterable<Exemplar> {
  return new Each(
    () => new ChildWalk(point, EXEMPLAR),
    node => new ExemplarView(node),
  )
}
