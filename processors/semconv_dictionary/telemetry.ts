import { counter, gauge, histogram } from '#core/component'

const SIGNAL = ['signal_type', 'protocol']
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What every instance counts of what passes it. Label beside the ones given here: `processor`. */
export const passingInstruments = {
  received: counter({
    name: 'signals_received_total',
    unit: '{item}',
    description: 'Spans, data points and log records received.',
    labels: SIGNAL,
  }),
  forwarded: counter({
    name: 'signals_forwarded_total',
    unit: '{item}',
    description: 'Spans, data points and log records that the backend, or the queue before it, has taken.',
    labels: SIGNAL,
  }),
  dropped: counter({
    name: 'signals_dropped_total',
    unit: '{item}',
    description: 'Spans, data points and log records that the backend answered with an error.',
    labels: SIGNAL,
  }),
} as const

/** What is counted once for a dictionary. Label beside the ones given here: `processor`. */
export const semconvDictionaryInstruments = {
  analyzed: counter({
    name: 'pipeline_analyzed_total',
    unit: '{item}',
    description: 'Spans, data points and log records that were analysed.',
  }),
  drops: counter({
    name: 'pipeline_drops_total',
    unit: '{item}',
    description: 'Spans, data points and log records that were forwarded but not analysed.',
  }),
  waiting: gauge({
    name: 'pipeline_ring_buffer_size',
    unit: '{request}',
    description: 'Requests that wait in the ring buffer.',
  }),
  running: gauge({
    name: 'pipeline_running_tasks',
    unit: '{task}',
    description: 'Tasks that analysis workers work on.',
  }),
  lag: gauge({
    name: 'pipeline_lag_seconds',
    unit: 's',
    description: 'How long the oldest request in the ring buffer has waited.',
  }),
  processing: histogram({
    name: 'pipeline_processing_duration_seconds',
    unit: 's',
    description: 'Time from handing a task to a worker until its observation is entered.',
    boundaries: SECONDS,
  }),
  entries: gauge({
    name: 'dictionary_entries',
    unit: '{entry}',
    description: 'Entries of the dictionary.',
  }),
  budgetUsed: gauge({
    name: 'dictionary_budget_used',
    unit: '{slot}',
    description: 'Slots of the budget in use: entries, and hashes of values counted one by one.',
  }),
  budgetLimit: gauge({
    name: 'dictionary_budget_limit',
    unit: '{slot}',
    description: 'Slots of the budget.',
  }),
  added: counter({
    name: 'dictionary_entries_added_total',
    unit: '{entry}',
    description: 'Entries that were new.',
  }),
  evictions: counter({
    name: 'dictionary_evictions_total',
    unit: '{entry}',
    description: 'Entries that were removed.',
    labels: ['reason'],
  }),
  skipped: gauge({
    name: 'dictionary_skipped_names',
    unit: '{name}',
    description: 'Names left out since the start because they are empty, too long, or too many at once.',
  }),
  persisted: counter({
    name: 'storage_entries_written_total',
    unit: '{entry}',
    description: 'Entries written to or removed from storage.',
  }),
  persistDuration: histogram({
    name: 'storage_persist_duration_seconds',
    unit: 's',
    description: 'Time to store what has changed.',
    boundaries: SECONDS,
  }),
  persistErrors: counter({
    name: 'storage_errors_total',
    unit: '{error}',
    description: 'Attempts to store what has changed that failed.',
  }),
} as const
