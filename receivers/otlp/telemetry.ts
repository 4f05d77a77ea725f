import { counter, receiverInstruments } from '#core/component'

export const otlpReceiverInstruments = {
  repaired: counter({
    name: 'otelcol_receiver_otlp_repaired_strings',
    unit: '{string}',
    description: 'Number of strings that were not UTF-8 and have been repaired.',
  }),
  malformed: counter({
    name: 'otelcol_receiver_otlp_malformed_requests',
    unit: '{request}',
    description: 'Number of requests refused because they are not OTLP.',
    labels: ['transport'],
  }),
} as const

/** Everything the receiver counts, for its table. */
export const otlpReceiverMetrics = { ...receiverInstruments, ...otlpReceiverInstruments } as const
