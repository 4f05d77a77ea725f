import { counter, gauge } from '#core/component'

/** With the Collector's names. Label beside those given here: `processor`. */
export const cumulativeToDeltaInstruments = {
  converted: counter({
    name: 'otelcol_cumulativetodelta_datapoints',
    unit: '{datapoint}',
    description: 'Number of data points converted from cumulative to delta temporality.',
    labels: ['metric_type'],
  }),
  dropped: counter({
    name: 'otelcol_cumulativetodelta_datapoints_dropped',
    unit: '{datapoint}',
    description:
      'Number of data points dropped instead of converted, by reason: initial, reset, bucket_mismatch, out_of_order, no_recorded_value.',
    labels: ['metric_type', 'reason'],
  }),
  streams: gauge({
    name: 'otelcol_cumulativetodelta_streams_tracked',
    unit: '{stream}',
    description: 'Number of series whose last value is remembered.',
  }),
} as const
