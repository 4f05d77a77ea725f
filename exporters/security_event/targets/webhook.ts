import type { SecurityEventConfig } from '../config.ts'
import type { FormatName } from '../mapping/format.ts'
import { jsonOf, judgeStatus } from './judge-status.ts'
import type { Answer, Frame, Target, Verdict } from './target.ts'

const MEBI = 1 << 20

/** Any server that takes events in the body of a POST. */
export function webhookTarget(config: SecurityEventConfig, format: FormatName, retryable: readonly number[]): Target {
  const { body, response } = config.webhook
  const text = format === 'cef' || format === 'leef'
  const lines = body === 'ndjson' || text
  return {
    url: config.endpoint,
    headers: {
      'content-type': text ? 'text/plain; charset=utf-8' : lines ? 'application/x-ndjson' : 'application/json',
      ...(config.token === '' ? {} : { authorization: `Bearer ${config.token}` }),
    },
    format,
    frame: lines ? LINES : body === 'array' ? ARRAY : body === 'wrapped' ? WRAPPED : SINGLE,
    maxBytes: 64 * MEBI,
    maxEvents: body === 'single' ? 1 : Number.POSITIVE_INFINITY,
    maxEventBytes: 64 * MEBI,
    envelope: event => event.text,
    judge: (answer, count, now) => {
      const verdict = judgeStatus(answer, now, retryable)
      return verdict.kind === 'accepted' && response === 'items' ? rejectedItems(answer, count) : verdict
    },
  }
}

export const ARRAY: Frame = { open: '[', between: ',', close: ']' }
export const LINES: Frame = { open: '', between: '\n', close: '\n' }
const WRAPPED: Frame = { open: '{"events":[', between: ',', close: ']}' }
const SINGLE: Frame = { open: '', between: '', close: '' }

/** `{"rejected":[{"index":0,"reason":"..."}]}`; anything else means that all were taken. */
function rejectedItems(answer: Answer, count: number): Verdict {
  const list = jsonOf(answer)?.rejected
  if (!Array.isArray(list)) return { kind: 'accepted' }
  const rejected = new Map<number, string>()
  for (const item of list as readonly ({ index?: unknown; reason?: unknown } | null)[]) {
    const index = item?.index
    if (typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < count) {
      rejected.set(index, `The target rejected the event: ${String(item?.reason ?? 'no reason given').slice(0, 200)}`)
    }
  }
  if (rejected.size === 0) return { kind: 'accepted' }
  const why = `The target rejected ${rejected.size} of ${count} events`
  return { kind: 'partial', why, rejected, resend: new Set(), again: 'later' }
}
