import { expect, test } from 'vitest'
import { RecordingMeter } from '#core/testing'
import { ReceiverTelemetry, receiverInstruments } from './receiver-telemetry.ts'

test('a receiver counts by signal and transport under the Collector’s names', () => {
  const meter = new RecordingMeter()
  const grpc = new ReceiverTelemetry(meter, 'grpc')
  const http = new ReceiverTelemetry(meter, 'http')
  grpc.accepted('traces', 3)
  grpc.accepted('traces', 4)
  grpc.refused('metrics', 2)
  http.accepted('logs', 5)
  http.refused('profiles', 6)
  expect(meter.snapshot()).toEqual({
    ...atZero('spans', 'grpc'),
    ...atZero('metric_points', 'grpc'),
    ...atZero('log_records', 'http'),
    ...atZero('profile_samples', 'http'),
    'otelcol_receiver_accepted_spans{transport="grpc"}': 7,
    'otelcol_receiver_refused_metric_points{transport="grpc"}': 2,
    'otelcol_receiver_accepted_log_records{transport="http"}': 5,
    'otelcol_receiver_refused_profile_samples{transport="http"}': 6,
  })
  expect(new Set(Object.keys(receiverInstruments))).toEqual(new Set(meter.declared.keys()))
})

/** What a signal counts from its first request on. */
function atZero(noun: string, transport: string): Record<string, number> {
  const outcomes = ['accepted', 'refused', 'failed']
  return Object.fromEntries(outcomes.map(each => [`otelcol_receiver_${each}_${noun}{transport="${transport}"}`, 0]))
}
