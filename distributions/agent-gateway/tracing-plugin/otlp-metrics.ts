import { nanos, writeAttributes } from './otlp-common.ts'
import { ProtobufWriter } from './protobuf.ts'
import type { Attributes } from './span.ts'

/** What an instrument has measured since `start`, for one set of attributes. */
export type Point =
  | { readonly attributes: Attributes; readonly start: number; readonly sum: number }
  | {
      readonly attributes: Attributes
      readonly start: number
      readonly sum: number
      readonly count: number
      readonly min: number
      readonly max: number
      /** How many measurements fell below each bound, and beyond the last. */
      readonly buckets: readonly number[]
    }

/** An instrument with what it measured. With bounds it is a histogram, without a monotonic sum. */
export interface Measured {
  readonly name: string
  readonly unit: string
  readonly description: string
  readonly bounds?: readonly number[] | undefined
  readonly points: readonly Point[]
}

/** An instrument as the `Metric` message of OTLP 1, cumulative as all the gateway's metrics are. */
export function encodeMetric(metric: Measured, now: number): Uint8Array {
  const out = new ProtobufWriter().string(1, metric.name).string(2, metric.description).string(3, metric.unit)
  const { bounds, points } = metric
  if (bounds === undefined) {
    out.message(7, sum => {
      for (const point of points) sum.message(1, each => writeNumber(each, point, now))
      sum.varint(2, CUMULATIVE).varint(3, 1)
    })
  } else {
    out.message(9, histogram => {
      for (const point of points) histogram.message(1, each => writeHistogram(each, point, bounds, now))
      histogram.varint(2, CUMULATIVE)
    })
  }
  return out.finish()
}

const CUMULATIVE = 2

function writeNumber(out: ProtobufWriter, point: Point, now: number): void {
  out.fixed64(2, nanos(point.start)).fixed64(3, nanos(now)).double(4, point.sum)
  writeAttributes(out, 7, point.attributes)
}

function writeHistogram(out: ProtobufWriter, point: Point, bounds: readonly number[], now: number): void {
  if (!('buckets' in point)) return
  out.fixed64(2, nanos(point.start)).fixed64(3, nanos(now))
  out.fixed64(4, BigInt(point.count)).double(5, point.sum)
  const counts = new ProtobufWriter()
  for (const count of point.buckets) counts.rawFixed64(BigInt(count))
  out.bytes(6, counts.finish())
  const limits = new ProtobufWriter()
  for (const bound of bounds) limits.rawDouble(bound)
  out.bytes(7, limits.finish())
  writeAttributes(out, 9, point.attributes)
  out.double(11, point.min).double(12, point.max)
}
