import { NO_CONTEXT } from '#core/component'
import { build, type Payload, type PlainMetric, type PlainRequests, toJson } from '#core/data'
import { configure, Sink, testContext } from '#core/testing'
import { cumulativeToDeltaConfig } from './config.ts'
import { CumulativeToDeltaProcessor } from './processor.ts'

/** A second in nanoseconds. */
export const SECOND = 1_000_000_000n

/** A processor between a test and a sink, on a clock that stands at 2026-01-01. */
export function rig(written: object = {}) {
  const context = testContext({ id: 'cumulativetodelta' })
  const sink = new Sink<'metrics'>()
  const processor = new CumulativeToDeltaProcessor(configure(cumulativeToDeltaConfig, written), sink as Sink, context)
  return {
    context,
    sink,
    processor,
    /** When the processor began, in nanoseconds. */
    began: BigInt(context.clock.now()) * 1_000_000n,
    consume: (payload: Payload<'metrics'>) => processor.consume(payload, NO_CONTEXT),
    send: (...metrics: PlainMetric[]) => processor.consume(payloadOf(metrics), NO_CONTEXT),
    /** The metrics that arrived, in order. */
    metrics: () => sink.payloads.flatMap(metricsIn),
  }
}

export function payloadOf(
  metrics: readonly PlainMetric[],
  resource: readonly { key: string; value: object }[] = [],
): Payload<'metrics'> {
  return build('metrics', { resourceMetrics: [{ resource: { attributes: resource }, scopeMetrics: [{ metrics }] }] })
}

/** As OTLP/JSON has them. */
export function metricsIn(payload: Payload<'metrics'>): PlainMetric[] {
  const request = JSON.parse(toJson(payload)) as PlainRequests['metrics']
  return (request.resourceMetrics ?? [])
    .flatMap(entry => entry.scopeMetrics ?? [])
    .flatMap(scope => scope.metrics ?? [])
}

/** A cumulative monotonic sum. */
export function sum(dataPoints: NonNullable<PlainMetric['sum']>['dataPoints'], over: object = {}): PlainMetric {
  return { name: 'requests', sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints: dataPoints!, ...over } }
}
/** A cumulative histogram with bounds 1 and 2. */
export function histogram(points: readonly object[]): PlainMetric {
  const dataPoints = points.map(point => ({ explicitBounds: [1, 2], ...point }))
  return { name: 'latency', histogram: { aggregationTemporality: 2, dataPoints } }
}
/** A cumulative exponential histogram. */
export function exponential(dataPoints: readonly object[]): PlainMetric {
  return { name: 'size', exponentialHistogram: { aggregationTemporality: 2, dataPoints } }
}
