import type { MessageType } from './message-type.ts'
import type { Signal } from './signal.ts'
import { logRecordMessage, logsMessage } from './tables-logs.ts'
import {
  exponentialHistogramDataPointMessage,
  histogramDataPointMessage,
  metricsMessage,
  numberDataPointMessage,
  summaryDataPointMessage,
} from './tables-metrics.ts'
import { profilesMessage, sampleMessage } from './tables-profiles.ts'
import { spanMessage, tracesMessage } from './tables-traces.ts'

/** The message a payload of each signal is: the OTLP export request. */
export const REQUEST: Readonly<Record<Signal, MessageType>> = {
  traces: tracesMessage,
  metrics: metricsMessage,
  logs: logsMessage,
  profiles: profilesMessage,
}

/** The messages that are counted as items: spans, data points of every kind, log records, profile samples. */
export const ITEMS: ReadonlySet<MessageType> = new Set([
  spanMessage,
  numberDataPointMessage,
  histogramDataPointMessage,
  exponentialHistogramDataPointMessage,
  summaryDataPointMessage,
  logRecordMessage,
  sampleMessage,
])
