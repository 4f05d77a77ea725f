import type { Span, Tracer } from '@opentelemetry/api'
import type { ConsumeContext, PipelineContext } from '#core/component'
import type { Payload, Signal } from '#core/data'
import type { Queue } from './queue.ts'
import { enqueueFailedInstrument, enqueueInstruments, queueInstruments } from './telemetry.ts'
import { parentOf } from './trace-context.ts'

/** The metrics and spans of one sending queue. */
export class QueueObserver {
  readonly #tracer: Tracer
  readonly #gauges
  readonly #enqueue
  readonly #enqueueFailed
  #stop: (() => void)[] = []

  constructor({ meter, tracer }: PipelineContext, signal: Signal) {
    this.#tracer = tracer
    this.#gauges = meter.bind(queueInstruments, { data_type: signal })
    this.#enqueue = meter.bind(enqueueInstruments)
    this.#enqueueFailed = meter.bind(enqueueFailedInstrument(signal)).enqueueFailed
  }

  /** Shows the size and capacity of `queue` from now on. */
  watch(queue: Queue): void {
    this.#stop = [this.#gauges.size.observe(() => queue.size), this.#gauges.capacity.observe(() => queue.capacity)]
  }

  /**
   * A request came to the queue, whether it finds room or not. Returns the span of its way in, to be ended by the
   * caller, when spans are recorded.
   */
  offered(payload: Payload, context: ConsumeContext): Span | undefined {
    this.#enqueue.size.record(payload.items)
    this.#enqueue.bytes.record(payload.bytes)
    const span = this.#tracer.startSpan('exporter/enqueue', undefined, parentOf(context.traceparent))
    return span.isRecording() ? span : undefined
  }

  /** A request did not get in. */
  refused(payload: Payload): void {
    this.#enqueueFailed.add(payload.items)
  }

  close(): void {
    for (const stop of this.#stop) stop()
    this.#stop = []
  }
}
