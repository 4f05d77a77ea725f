import { AttributesView } from './attributes.ts'
import { drop } from './edit.ts'
import { readDouble, readFixed64, readFixedList, readVarint, readZigzag, writeFixed64 } from './fields.ts'
import { EXPONENTIAL_POINT, HISTOGRAM_POINT, NUMBER_POINT, SUMMARY_POINT } from './levels.ts'
import type { Node } from './node.ts'
import { bytesOf } from './node.ts'
import { bucketsOf, exemplarsOf, numberOf, quantilesOf } from './point-fields.ts'
import type { Attributes, DataPoint, Exemplar, ExponentialBuckets, Metric, Resource, Scope } from './records.ts'
import { resourceOf, scopeOf } from './resource.ts'

const START_TIME = 2
const TIME = 3
const COUNT = 4
const SUM = 5
const NO_BUCKETS: ExponentialBuckets = { offset: 0, bucketCounts: [] }

function bigUint64At(v: DataView, p: number): bigint {
  return v.getBigUint64(p, true)
}

function doubleAt(v: DataView, p: number): number {
  return v.getFloat64(p, true)
}

/** A data point of any type of metric. What its type does not have reads as absent. */
export class DataPointView implements DataPoint {
  readonly #node: Node
  readonly #metricOf: (point: Node) => Metric

  /** `metricOf` is handed in because a metric knows its points, too. */
  constructor(node: Node, metricOf: (point: Node) => Metric) {
    this.#node = node
    this.#metricOf = metricOf
  }

  get attributes(): Attributes {
    return new AttributesView(this.#node)
  }

  get resource(): Resource {
    return resourceOf(this.#node)
  }

  get scope(): Scope {
    return scopeOf(this.#node)
  }

  get bytes(): Uint8Array {
    return bytesOf(this.#node)
  }

  drop(): void {
    drop(this.#node, 1)
  }

  get metric(): Metric {
    return this.#metricOf(this.#node)
  }

  get startTime(): bigint {
    return readFixed64(this.#node, START_TIME)
  }

  set startTime(time: bigint) {
    writeFixed64(this.#node, START_TIME, time)
  }

  get time(): bigint {
    return readFixed64(this.#node, TIME)
  }

  set time(time: bigint) {
    writeFixed64(this.#node, TIME, time)
  }

  get flags(): number {
    return readVarint(this.#node, this.#is(HISTOGRAM_POINT) || this.#is(EXPONENTIAL_POINT) ? 10 : 8) >>> 0
  }

  get value(): number | bigint | undefined {
    return this.#is(NUMBER_POINT) ? numberOf(this.#node, 4, 6) : undefined
  }

  get count(): bigint | undefined {
    return this.#is(NUMBER_POINT) ? undefined : readFixed64(this.#node, COUNT)
  }

  get sum(): number | undefined {
    if (this.#is(NUMBER_POINT)) return undefined
    return readDouble(this.#node, SUM) ?? (this.#is(SUMMARY_POINT) ? 0 : undefined)
  }

  get min(): number | undefined {
    if (this.#is(HISTOGRAM_POINT)) return readDouble(this.#node, 11)
    return this.#is(EXPONENTIAL_POINT) ? readDouble(this.#node, 12) : undefined
  }

  get max(): number | undefined {
    if (this.#is(HISTOGRAM_POINT)) return readDouble(this.#node, 12)
    return this.#is(EXPONENTIAL_POINT) ? readDouble(this.#node, 13) : undefined
  }

  get explicitBounds(): readonly number[] {
    return this.#is(HISTOGRAM_POINT) ? readFixedList(this.#node, 7, doubleAt) : []
  }

  get bucketCounts(): readonly bigint[] {
    return this.#is(HISTOGRAM_POINT) ? readFixedList(this.#node, 6, bigUint64At) : []
  }

  get scale(): number {
    return this.#is(EXPONENTIAL_POINT) ? readZigzag(this.#node, 6) : 0
  }

  get zeroCount(): bigint {
    return this.#is(EXPONENTIAL_POINT) ? readFixed64(this.#node, 7) : 0n
  }

  get zeroThreshold(): number {
    return this.#is(EXPONENTIAL_POINT) ? (readDouble(this.#node, 14) ?? 0) : 0
  }

  get positive(): ExponentialBuckets {
    return this.#is(EXPONENTIAL_POINT) ? bucketsOf(this.#node, 8) : NO_BUCKETS
  }

  get negative(): ExponentialBuckets {
    return this.#is(EXPONENTIAL_POINT) ? bucketsOf(this.#node, 9) : NO_BUCKETS
  }

  get quantiles(): readonly { readonly quantile: number; readonly value: number }[] {
    return this.#is(SUMMARY_POINT) ? quantilesOf(this.#node) : []
  }

  get exemplars(): Iterable<Exemplar> {
    return exemplarsOf(this.#node)
  }

  #is(level: number): boolean {
    return this.#node.level === level
  }
}
