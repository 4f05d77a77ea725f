import { counter, histogram, upDownCounter } from '#core/component'

/** Label beside the ones given here: `processor`. */
export const batchInstruments = {
  sendSize: histogram({
    name: 'otelcol_processor_batch_batch_send_size',
    unit: '{unit}',
    description: 'Number of units in the batch.',
    level: 'normal',
    boundaries: [
      10, 25, 50, 75, 100, 250, 500, 750, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10_000, 20_000, 30_000,
      50_000, 100_000,
    ],
  }),
  sendSizeBytes: histogram({
    name: 'otelcol_processor_batch_batch_send_size_bytes',
    unit: 'By',
    description: 'Number of bytes in batch that was sent.',
    level: 'detailed',
    boundaries: Array.from({ length: 18 }, (_, power) => 128 * 2 ** power),
  }),
  sizeTriggerSend: counter({
    name: 'otelcol_processor_batch_batch_size_trigger_send',
    unit: '{time}',
    description: 'Number of times the batch was sent due to a size trigger.',
    level: 'normal',
  }),
  timeoutTriggerSend: counter({
    name: 'otelcol_processor_batch_timeout_trigger_send',
    unit: '{time}',
    description: 'Number of times the batch was sent due to a timeout trigger.',
    level: 'normal',
  }),
  metadataCardinality: upDownCounter({
    name: 'otelcol_processor_batch_metadata_cardinality',
    unit: '{combination}',
    description: 'Number of distinct metadata value combinations being processed.',
    level: 'normal',
  }),
} as const
