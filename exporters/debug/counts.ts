import type { LogFields } from '#core/component'
import { openDraft, type Payload, type Signal } from '#core/data'

/** The message of each signal's summary line. */
export const TITLE: Record<Signal, string> = {
  traces: 'Traces',
  metrics: 'Metrics',
  logs: 'Logs',
  profiles: 'Profiles',
}

/** The fields of the summary line, named as in the Collector. */
export function countsOf(payload: Payload): LogFields {
  const draft = openDraft(payload)
  const resources = count(draft.resources())
  switch (payload.signal) {
    case 'traces':
      return { 'resource spans': resources, spans: payload.items }
    case 'metrics':
      return { 'resource metrics': resources, metrics: count(draft.metrics()), 'data points': payload.items }
    case 'logs':
      return { 'resource logs': resources, 'log records': payload.items }
    case 'profiles':
      return { 'resource profiles': resources, 'sample records': payload.items }
  }
}

function count(all: Iterable<unknown>): number {
  let n = 0
  for (const _ of all) n++
  return n
}
