import { AttributesView } from './attributes.ts'
import { drop } from './edit.ts'
import {
  readDouble,
  readFixed64,
  readFixedList,
  readVarint,
  readZigzag,
  writeBuckets,
  writeDouble,
  writeFixed64,
  writeFixedList,
  writeSfixed64,
} from './fields.ts'
import { EXPONENTIAL_POINT, HISTOGRAM_POINT, NUMBER_POINT, SUMMARY_POINT } from './levels.ts'
import type { Node } from './node.ts'
import { bytesOf } from './node.ts'
import { bucketsOf, exemplarsOf, numberOf, quantilesOf } from './point-fields.ts'
import type { Attributes, DataPoint, Exemplar, ExponentialBuckets, Metric, Resource, Scope } from './records.ts'
import { resourceOf, scopeOf } from './resource.ts'

const START_TIME = 2
const TIME = 3
const AS_DOUBLE = 4
const AS_INT = 6
const COUNT = 4
const SUM = 5
const BUCKET_COUNTS = 6
const ZERO_COUNT = 7
const POSITIVE = 8
const NEGATIVE = 9
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
    return this.#is(NUMBER_POINT) ? numberOf(this.#node, AS_DOUBLE, AS_INT) : undefined
  }

  set value(value: number | bigint | undefined) {
    this.#require('value', NUMBER_POINT)
    writeDouble(this.#node, AS_DOUBLE, typeof value === 'number' ? value : undefined)
    writeSfixed64(this.#node, AS_INT, typeof value === 'bigint' ? value : undefined)
  }

  get count(): bigint | undefined {
    return this.#is(NUMBER_POINT) ? undefined : readFixed64(this.#node, COUNT)
  }

  set count(count: bigint | undefined) {
    this.#require('count', HISTOGRAM_POINT, EXPONENTIAL_POINT)
    writeFixed64(this.#node, COUNT, count ?? 0n)
  }

  get sum(): number | undefined {
    if (this.#is(NUMBER_POINT)) return undefined
    return readDouble(this.#node, SUM) ?? (this.#is(SUMMARY_POINT) ? 0 : undefined)
  }

  set sum(sum: number | undefined) {
    this.#require('sum', HISTOGRAM_POINT, EXPONENTIAL_POINT)
    writeDouble(this.#node, SUM, sum)
  }

  get min(): number | undefined {
    if (this.#is(HISTOGRAM_POINT)) return readDouble(this.#node, 11)
    return this.#is(EXPONENTIAL_POINT) ? readDouble(this.#node, 12) : undefined
  }

  set min(min: number | undefined) {
    this.#require('min', HISTOGRAM_POINT, EXPONENTIAL_POINT)
    writeDouble(this.#node, this.#is(HISTOGRAM_POINT) ? 11 : 12, min)
  }

  get max(): number | undefined {
    if (this.#is(HISTOGRAM_POINT)) return readDouble(this.#node, 12)
    return this.#is(EXPONENTIAL_POINT) ? readDouble(this.#node, 13) : undefined
  }

  set max(max: number | undefined) {
    this.#require('max', HISTOGRAM_POINT, EXPONENTIAL_POINT)
    writeDouble(this.#node, this.#is(HISTOGRAM_POINT) ? 12 : 13, max)
  }

  get explicitBounds(): readonly number[] {
    return this.#is(HISTOGRAM_POINT) ? readFixedList(this.#node, 7, doubleAt) : []
  }

  get bucketCounts(): readonly bigint[] {
    return this.#is(HISTOGRAM_POINT) ? readFixedList(this.#node, BUCKET_COUNTS, bigUint64At) : []
  }

  set bucketCounts(counts: readonly bigint[]) {
    this.#require('bucket counts', HISTOGRAM_POINT)
    writeFixedList(this.#node, BUCKET_COUNTS, counts)
  }

  get scale(): number {
    return this.#is(EXPONENTIAL_POINT) ? readZigzag(this.#node, 6) : 0
  }

  get zeroCount(): bigint {
    return this.#is(EXPONENTIAL_POINT) ? readFixed64(this.#node, ZERO_COUNT) : 0n
  }

  set zeroCount(count: bigint) {
    this.#require('zero count', EXPONENTIAL_POINT)
    writeFixed64(this.#node, ZERO_COUNT, count)
  }

  get zeroThreshold(): number {
    return this.#is(EXPONENTIAL_POINT) ? (readDouble(this.#node, 14) ?? 0) : 0
  }

  get positive(): ExponentialBuckets {
    return this.#is(EXPONENTIAL_POINT) ? bucketsOf(this.#node, POSITIVE) : NO_BUCKETS
  }

  set positive(buckets: ExponentialBuckets) {
    this.#require('positive buckets', EXPONENTIAL_POINT)
    writeBuckets(this.#node, POSITIVE, buckets)
  }

  get negative(): ExponentialBuckets {
    return this.#is(EXPONENTIAL_POINT) ? bucketsOf(this.#node, NEGATIVE) : NO_BUCKETS
  }

  set negative(buckets: ExponentialBuckets) {
    this.#require('negative buckets', EXPONENTIAL_POINT)
    writeBuckets(this.#node, NEGATIVE, buckets)
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

  #require(what: string, level: number, other = level): void {
    if (this.#node.level === level || this.#node.level === other) return
    throw new TypeError(`Could not set the ${what} of a data point: those of a ${this.metric.type} have none`)
  }
}
