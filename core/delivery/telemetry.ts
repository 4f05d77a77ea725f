import { counter, gauge, histogram, type Labels, type Meter, upDownCounter } from '#core/component'
import { ITEM_NOUN, type Signal } from '#core/data'

const UNIT: Record<Signal, string> = {
  traces: '{span}',
  metrics: '{datapoint}',
  logs: '{record}',
  profiles: '{sample}',
}

/** Upper bounds of the Collector's size histograms, in items. */
export const SIZE_BOUNDARIES: readonly number[] = [
  10, 25, 50, 75, 100, 250, 500, 750, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10_000, 20_000, 30_000,
  50_000, 100_000,
]

/** Upper bounds of the Collector's size histograms in bytes: powers of two from 128 to 16 MiB. */
export const BYTE_BOUNDARIES: readonly number[] = Array.from({ length: 18 }, (_, power) => 128 * 2 ** power)

/** What exporters say about the items of one signal. Labels beside `exporter` and those the exporter adds. */
export function itemInstruments(signal: Signal) {
  const noun = ITEM_NOUN[signal]
  const spoken = noun.replace('_', ' ')
  const unit = UNIT[signal]
  return {
    sent: counter({
      name: `otelcol_exporter_sent_${noun}`,
      unit,
      description: `Number of ${spoken} successfully sent to destination.`,
    }),
    sendFailed: counter({
      name: `otelcol_exporter_send_failed_${noun}`,
      unit,
      description: `Number of ${spoken} in failed attempts to send to destination. At detailed level with the labels error.type and error.permanent.`,
      labels: ['error.type', 'error.permanent'],
    }),
  } as const
}

/** What exporters say about items that found no room in the queue. */
export function enqueueFailedInstrument(signal: Signal) {
  const noun = ITEM_NOUN[signal]
  return {
    enqueueFailed: counter({
      name: `otelcol_exporter_enqueue_failed_${noun}`,
      unit: UNIT[signal],
      description: `Number of ${noun.replace('_', ' ')} that could not be added to the sending queue.`,
    }),
  } as const
}

/** What exporters say about requests and the queue. Labels beside `exporter`: `data_type`, the signal. */
export const requestInstruments = {
  inFlight: upDownCounter({
    name: 'otelcol_exporter_in_flight_requests',
    unit: '{request}',
    description: 'Number of requests being sent now, waits between attempts included.',
  }),
} as const

export const queueInstruments = {
  size: gauge({
    name: 'otelcol_exporter_queue_size',
    unit: '{batch}',
    description: "Current size of the sending queue, in units of the queue's sizer.",
  }),
  capacity: gauge({
    name: 'otelcol_exporter_queue_capacity',
    unit: '{batch}',
    description: "Capacity of the sending queue, in units of the queue's sizer.",
  }),
} as const

export const enqueueInstruments = {
  size: histogram({
    name: 'otelcol_exporter_enqueue_size',
    unit: '{unit}',
    description: 'Number of items in the requests added to the sending queue.',
    level: 'detailed',
    boundaries: SIZE_BOUNDARIES,
  }),
  bytes: histogram({
    name: 'otelcol_exporter_enqueue_size_bytes',
    unit: 'By',
    description: 'Number of bytes in the requests added to the sending queue.',
    level: 'detailed',
    boundaries: BYTE_BOUNDARIES,
  }),
} as const

export const batchInstruments = {
  size: histogram({
    name: 'otelcol_exporter_queue_batch_send_size',
    unit: '{unit}',
    description: 'Number of items in the batches sent.',
    level: 'detailed',
    boundaries: SIZE_BOUNDARIES,
  }),
  bytes: histogram({
    name: 'otelcol_exporter_queue_batch_send_size_bytes',
    unit: 'By',
    description: 'Number of bytes in the batches sent.',
    level: 'detailed',
    boundaries: BYTE_BOUNDARIES,
  }),
} as const

/** Binds what every exporter of `signal` records; `extra` labels go on sent and failed items only. */
export function bindExporterInstruments(meter: Meter, signal: Signal, extra: Labels, batching: boolean) {
  const dataType = { data_type: signal }
  return {
    ...meter.bind(itemInstruments(signal), extra),
    ...meter.bind(requestInstruments, dataType),
    batch: batching ? meter.bind(batchInstruments) : undefined,
    detailed: meter.level === 'detailed',
  }
}
