import type { SecurityEventConfig } from '../config.ts'
import type { FormatName } from '../mapping/format.ts'
import { timestamp } from '../mapping/timestamp.ts'
import { judgeStatus } from './judge-status.ts'
import { objectText } from './object-text.ts'
import type { Target } from './target.ts'
import { ARRAY } from './webhook.ts'

/**
 * The Logs Ingestion API of Azure Monitor, for Microsoft Sentinel: an array of rows with `TimeGenerated`, at most 1 MB,
 * answered with 204. A 401 is tried again with a new token.
 */
export function sentinelTarget(config: SecurityEventConfig, format: FormatName, retryable: readonly number[]): Target {
  const { rule_id, stream } = config.sentinel
  const path = `dataCollectionRules/${encodeURIComponent(rule_id)}/streams/${encodeURIComponent(stream)}`
  return {
    url: new URL(`/${path}?api-version=2023-01-01`, config.endpoint).href,
    headers: { 'content-type': 'application/json' },
    format,
    frame: ARRAY,
    maxBytes: 1_000_000,
    maxEvents: Number.POSITIVE_INFINITY,
    maxEventBytes: 1_000_000,
    envelope: event => objectText(event, format, { TimeGenerated: timestamp(event.facts.when) }),
    judge: (answer, _, now) => judgeStatus(answer, now, retryable),
  }
}
