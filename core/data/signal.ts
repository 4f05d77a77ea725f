/** The kinds of telemetry that travel through a pipeline. */
export type Signal = 'traces' | 'metrics' | 'logs' | 'profiles'

/** Every signal, in the order in which tables and listings show them. */
export const SIGNALS: readonly Signal[] = ['traces', 'metrics', 'logs', 'profiles']

/** What is counted in a payload of each signal: spans, data points, log records, profile samples. */
export const ITEM_NOUN = {
  traces: 'spans',
  metrics: 'metric_points',
  logs: 'log_records',
  profiles: 'profile_samples',
} as const satisfies Record<Signal, string>

/** Whether `text` names a signal. */
export function isSignal(text: string): text is Signal {
  return (SIGNALS as readonly string[]).includes(text)
}
