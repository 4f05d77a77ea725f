import type { Labels, PipelineContext } from '#core/component'
import type { Payload, Signal } from '#core/data'
import type { Queue } from './queue.ts'
import { enqueueFailedInstrument, enqueueInstruments, queueInstruments } from './telemetry.ts'

/** The metrics of one sending queue. */
export class QueueObserver {
  readonly #dataType: Labels
  readonly #gauges
  readonly #enqueue
  readonly #enqueueFailed
  #stop: (() => void)[] = []

  constructor({ meter }: PipelineContext, signal: Signal) {
    this.#dataType = { data_type: signal }
    this.#gauges = meter.bind(queueInstruments, this.#dataType)
    this.#enqueue = meter.bind(enqueueInstruments)
    this.#enqueueFailed = meter.bind(enqueueFailedInstrument(signal)).enqueueFailed
  }

  /** Shows the size and capacity of `queue` from now on. */
  watch(queue: Queue): void {
    this.#stop = [this.#gauges.size.observe(() => queue.size), this.#gauges.capacity.observe(() => queue.capacity)]
  }

  /** A request came to the queue, whether it finds room or not. */
  offered(payload: Payload): void {
    this.#enqueue.size.record(payload.items)
    this.#enqueue.bytes.record(payload.bytes)
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
