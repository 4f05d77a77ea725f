import type { SecurityEventConfig } from '../config.ts'
import type { FormatName } from '../mapping/format.ts'
import { judgeStatus } from './judge-status.ts'
import { objectText } from './object-text.ts'
import type { Target } from './target.ts'
import { ARRAY } from './webhook.ts'

/**
 * Dynatrace's ingest of security events: an array of flat objects, answered with 202. The token needs the scope
 * `openpipeline.events_security`.
 */
export function dynatraceTarget(config: SecurityEventConfig, format: FormatName, retryable: readonly number[]): Target {
  return {
    url: config.endpoint,
    headers: {
      'content-type': 'application/json',
      ...(config.token === '' ? {} : { authorization: `Api-Token ${config.token}` }),
    },
    format,
    frame: ARRAY,
    maxBytes: 1_000_000,
    maxEvents: Number.POSITIVE_INFINITY,
    maxEventBytes: 1_000_000,
    envelope: event => objectText(event, format, {}),
    judge: (answer, _, now) => judgeStatus(answer, now, retryable),
  }
}
