import { DataPointView } from './data-point.ts'
import { Each } from './each.ts'
import { drop } from './edit.ts'
import { readText, readVarint, writeText, writeVarint } from './fields.ts'
import { EXPONENTIAL_HISTOGRAM, GAUGE, HISTOGRAM, METRIC_RANK, RECORD_RANK, SUM, SUMMARY } from './levels.ts'
import { ancestor, branchOf, childAt, liveItems, type Node } from './node.ts'
import type { DataPoint, Metric, MetricType, Resource, Scope, Temporality } from './records.ts'
import { resourceOf, scopeOf } from './resource.ts'
import { type Chunks, Walk } from './walk.ts'

const NAME = 1
const DESCRIPTION = 2
const UNIT = 3
const TEMPORALITY = 2
const MONOTONIC = 3

const TYPES: ReadonlyMap<number, MetricType> = new Map([
  [GAUGE, 'gauge'],
  [SUM, 'sum'],
  [HISTOGRAM, 'histogram'],
  [EXPONENTIAL_HISTOGRAM, 'exponential_histogram'],
  [SUMMARY, 'summary'],
])

/** A metric with its data points. */
export class MetricView implements Metric {
  readonly #node: Node

  constructor(node: Node) {
    this.#node = node
  }

  get name(): string {
    return readText(this.#node, NAME)
  }

  set name(name: string) {
    writeText(this.#node, NAME, name)
  }

  get unit(): string {
    return readText(this.#node, UNIT)
  }

  set unit(unit: string) {
    writeText(this.#node, UNIT, unit)
  }

  get description(): string {
    return readText(this.#node, DESCRIPTION)
  }

  set description(description: string) {
    writeText(this.#node, DESCRIPTION, description)
  }

  get type(): MetricType {
    const data = dataOf(this.#node)
    return data === undefined ? 'empty' : TYPES.get(data.level)!
  }

  get temporality(): Temporality {
    const data = dataOf(this.#node)
    return data === undefined || data.level === GAUGE || data.level === SUMMARY ? 0 : readVarint(data, TEMPORALITY)
  }

  set temporality(temporality: Temporality) {
    const data = dataOf(this.#node)
    if (data === undefined || data.level === GAUGE || data.level === SUMMARY) {
      throw new TypeError(`Could not set the temporality of a metric of type ${this.type}: it has none`)
    }
    writeVarint(data, TEMPORALITY, temporality)
  }

  get monotonic(): boolean {
    const data = dataOf(this.#node)
    return data?.level === SUM && readVarint(data, MONOTONIC) !== 0
  }

  get resource(): Resource {
    return resourceOf(this.#node)
  }

  get scope(): Scope {
    return scopeOf(this.#node)
  }

  get points(): Iterable<DataPoint> {
    const node = this.#node
    return new Each(
      () => new Walk(RECORD_RANK, node, null),
      point => new DataPointView(point, metricOf),
    )
  }

  drop(): void {
    drop(this.#node, liveItems(this.#node))
  }
}

/** The gauge, sum, histogram or summary in a metric. */
function dataOf(metric: Node): Node | undefined {
  return childAt(metric, branchOf(metric), 0)
}

/** The metric of a data point. */
export function metricOf(point: Node): Metric {
  return new MetricView(ancestor(point, METRIC_RANK))
}

/** Every data point of a draft. */
export class DataPointIterator implements IterableIterator<DataPoint> {
  readonly #walk: Walk

  constructor(chunks: Chunks) {
    this.#walk = new Walk(RECORD_RANK, null, chunks)
  }

  next(): IteratorResult<DataPoint, undefined> {
    const node = this.#walk.next()
    if (node === undefined) return { done: true, value: undefined }
    return { done: false, value: new DataPointView(node, metricOf) }
  }

  [Symbol.iterator](): this {
    return this
  }
}
