import type { SecurityEventConfig } from '../config.ts'
import type { FormatName } from '../mapping/format.ts'
import type { SecurityEvent } from '../mapping/security-event.ts'
import { valueText } from '../mapping/value-text.ts'
import { jsonOf, judgeStatus } from './judge-status.ts'
import type { Answer, Target, Verdict } from './target.ts'

const MEBI = 1 << 20

/** Splunk's HTTP Event Collector: objects one after the other, each with its metadata around the event. */
export function splunkHecTarget(config: SecurityEventConfig, format: FormatName, retryable: readonly number[]): Target {
  const { index, source, sourcetype } = config.splunk_hec
  const fixed = Object.entries({ source, sourcetype, index })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `"${name}":${JSON.stringify(value)},`)
    .join('')
  const text = format === 'cef' || format === 'leef'
  return {
    url: config.endpoint,
    headers: {
      'content-type': 'application/json',
      ...(config.token === '' ? {} : { authorization: `Splunk ${config.token}` }),
    },
    format,
    frame: { open: '', between: '', close: '' },
    maxBytes: 2 * MEBI,
    maxEvents: Number.POSITIVE_INFINITY,
    maxEventBytes: 2 * MEBI,
    envelope: event =>
      `{"time":${seconds(event)},${host(event)}${fixed}"event":${text ? JSON.stringify(event.text) : event.text}}`,
    judge: (answer, count, now) => {
      const verdict = answer.status === 400 ? invalidEvent(answer, count) : undefined
      return verdict ?? judgeStatus(answer, now, retryable)
    },
  }
}

function seconds({ facts }: SecurityEvent): string {
  const { when } = facts
  return `${when / 1_000_000_000n}.${String(when % 1_000_000_000n).padStart(9, '0')}`
}

function host({ facts }: SecurityEvent): string {
  const name = valueText(facts.get('host.name'))
  return name === '' ? '' : `"host":${JSON.stringify(name)},`
}

/**
 * A 400 names the event that is wrong; those before it have been indexed, those after it have not.
 * Codes 6, 12 and 13 are about one event.
 */
function invalidEvent(answer: Answer, count: number): Verdict | undefined {
  const said = jsonOf(answer)
  const at = said?.['invalid-event-number']
  if (typeof at !== 'number' || !Number.isInteger(at) || at < 0 || at >= count) return undefined
  const why = `Splunk answered 400, code ${String(said?.code)}: ${String(said?.text).slice(0, 200)}`
  const resend = new Set(Array.from({ length: count - at - 1 }, (_, i) => at + 1 + i))
  return { kind: 'partial', why, rejected: new Map([[at, why]]), resend, again: 'now' }
}
