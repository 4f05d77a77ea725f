import type { SecurityEventConfig } from '../config.ts'
import type { FormatName } from '../mapping/format.ts'
import { valueText } from '../mapping/value-text.ts'
import { judgeStatus } from './judge-status.ts'
import { objectText } from './object-text.ts'
import type { Target } from './target.ts'
import { ARRAY } from './webhook.ts'

/** The logs intake of Datadog, which feeds Cloud SIEM. Larger events would be cut there without a word. */
export function datadogTarget(config: SecurityEventConfig, format: FormatName, retryable: readonly number[]): Target {
  const { source, tags } = config.datadog
  return {
    url: config.endpoint,
    headers: {
      'content-type': 'application/json',
      ...(config.token === '' ? {} : { 'dd-api-key': config.token }),
    },
    format,
    frame: ARRAY,
    maxBytes: 5_000_000,
    maxEvents: 1000,
    maxEventBytes: 1_000_000,
    envelope: event =>
      objectText(event, format, {
        ddsource: source,
        ddtags: tags,
        service: valueText(event.facts.get('service.name')),
        hostname: valueText(event.facts.get('host.name')),
        status: event.facts.severityText.toLowerCase(),
      }),
    judge: (answer, _, now) => judgeStatus(answer, now, retryable),
  }
}
