import type { SecurityEventConfig } from '../config.ts'
import type { FormatName } from '../mapping/format.ts'
import { timestamp } from '../mapping/timestamp.ts'
import { judgeStatus } from './judge-status.ts'
import type { Target } from './target.ts'

/**
 * `logs:import` of the Chronicle API of Google Security Operations: raw entries in base64. The endpoint is the whole URL,
 * `https://<region>-chronicle.googleapis.com/v1alpha/projects/.../logTypes/<type>/logs:import`.
 */
export function googleSecopsTarget(
  config: SecurityEventConfig,
  format: FormatName,
  retryable: readonly number[],
): Target {
  const { forwarder, log_type } = config.google_secops
  const label = JSON.stringify(log_type)
  const ascribed = forwarder === '' ? '' : `"forwarder":${JSON.stringify(forwarder)},`
  return {
    url: config.endpoint,
    headers: {
      'content-type': 'application/json',
      ...(config.token === '' ? {} : { authorization: `Bearer ${config.token}` }),
    },
    format,
    frame: { open: `{"inlineSource":{${ascribed}"logs":[`, between: ',', close: ']}}' },
    maxBytes: 4_000_000,
    maxEvents: Number.POSITIVE_INFINITY,
    maxEventBytes: 4_000_000,
    envelope: ({ text, facts, id }) =>
      `{"data":"${Buffer.from(text).toString('base64')}","logEntryTime":"${timestamp(facts.when)}","labels":{"logType":{"value":${label}},"eventId":{"value":"${id}"}}}`,
    judge: (answer, _, now) => judgeStatus(answer, now, retryable),
  }
}
