import { counter, histogram } from '#core/component'

const PREFIX = 'otelcol_exporter_securityevent_'

/** What the exporter says beside the metrics that all exporters have. */
export const securityEventInstruments = {
  logsReceived: counter({
    name: `${PREFIX}logs_received`,
    unit: '{record}',
    description: 'Number of log records handed to the exporter.',
  }),
  eventsExported: counter({
    name: `${PREFIX}events_exported`,
    unit: '{event}',
    description: 'Number of events that the target has taken.',
  }),
  eventsFailed: counter({
    name: `${PREFIX}events_failed`,
    unit: '{event}',
    description: 'Number of events that did not arrive, in the dead letter or not, by reason.',
    labels: ['reason'],
  }),
  conversionErrors: counter({
    name: `${PREFIX}conversion_errors`,
    unit: '{record}',
    description: 'Number of log records of which no event could be made, by reason.',
    labels: ['reason'],
  }),
  attributeConflicts: counter({
    name: `${PREFIX}attribute_conflicts`,
    unit: '{attribute}',
    description: 'Number of attributes that had to give way to another of the same name.',
  }),
  httpRequests: counter({
    name: `${PREFIX}http_requests`,
    unit: '{request}',
    description: 'Number of requests answered, by status.',
    labels: ['status_code'],
  }),
  httpErrors: counter({
    name: `${PREFIX}http_errors`,
    unit: '{request}',
    description: 'Number of requests that failed, by kind: 3xx, 4xx, 5xx, timeout, network.',
    labels: ['kind'],
  }),
  httpDuration: histogram({
    name: `${PREFIX}http_request_duration`,
    unit: 's',
    description: 'How long requests took, answered or not.',
    boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  }),
  batchEvents: histogram({
    name: `${PREFIX}batch_events`,
    unit: '{event}',
    description: 'Number of events in one request.',
    boundaries: [1, 5, 10, 25, 50, 100, 250, 500, 1000],
  }),
  batchBytes: histogram({
    name: `${PREFIX}batch_bytes`,
    unit: 'By',
    description: 'Size of one request before compression.',
    boundaries: [1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22],
  }),
  deadLetters: counter({
    name: `${PREFIX}dead_letter_events`,
    unit: '{event}',
    description: 'Number of events written to the dead letter, by reason.',
    labels: ['reason'],
  }),
} as const
