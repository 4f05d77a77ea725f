import type { SecurityEventConfig } from '../config.ts'
import type { FormatName } from '../mapping/format.ts'
import { judgeStatus } from './judge-status.ts'
import type { Target } from './target.ts'
import { LINES } from './webhook.ts'

/** An HTTP source of Sumo Logic: a line an event. The secret is the last part of the path. */
export function sumoLogicTarget(config: SecurityEventConfig, format: FormatName, retryable: readonly number[]): Target {
  const { category, name, host } = config.sumo_logic
  const labels = { 'x-sumo-category': category, 'x-sumo-name': name, 'x-sumo-host': host }
  return {
    url: `${config.endpoint.replace(/\/$/, '')}${config.token === '' ? '' : `/${encodeURIComponent(config.token)}`}`,
    headers: {
      'content-type': format === 'cef' || format === 'leef' ? 'text/plain; charset=utf-8' : 'application/json',
      ...Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== '')),
    },
    format,
    frame: LINES,
    maxBytes: 1_000_000,
    maxEvents: Number.POSITIVE_INFINITY,
    maxEventBytes: 1_000_000,
    envelope: event => event.text,
    judge: (answer, _, now) => judgeStatus(answer, now, retryable),
  }
}
