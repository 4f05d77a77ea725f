import type { SecurityEventConfig } from '../config.ts'
import type { FormatName } from '../mapping/format.ts'
import { jsonOf, judgeStatus } from './judge-status.ts'
import type { Answer, Target, Verdict } from './target.ts'
import { LINES } from './webhook.ts'

/** An answer is kept up to this size; a longer one cannot be read. */
const READABLE = 64 << 10

/**
 * The bulk interface of Elasticsearch and OpenSearch. The event id is the document id, so that a document that is there
 * already, answered with 409, has arrived.
 */
export function elasticTarget(config: SecurityEventConfig, format: FormatName, retryable: readonly number[]): Target {
  const url = new URL(config.endpoint)
  url.searchParams.set('filter_path', 'errors,items.*.status,items.*.error.type,items.*.error.reason')
  const index = JSON.stringify(config.elastic.index)
  return {
    url: url.href,
    headers: {
      'content-type': 'application/x-ndjson',
      ...(config.token === '' ? {} : { authorization: `ApiKey ${config.token}` }),
    },
    format,
    frame: LINES,
    maxBytes: 5 << 20,
    maxEvents: 1000,
    maxEventBytes: 5 << 20,
    envelope: event => `{"create":{"_index":${index},"_id":"${event.id}"}}\n${event.text}`,
    judge: (answer, count, now) => {
      const verdict = judgeStatus(answer, now, retryable)
      return verdict.kind === 'accepted' ? judgeItems(answer, count) : verdict
    },
  }
}

interface Item {
  readonly create?: {
    readonly status?: unknown
    readonly error?: { readonly type?: unknown; readonly reason?: unknown }
  }
}

/** Sending again what has arrived does no harm, so an answer that cannot be understood is a reason to. */
function judgeItems(answer: Answer, count: number): Verdict {
  const said = jsonOf(answer)
  if (said?.errors === false) return { kind: 'accepted' }
  const items = said?.items
  if (!Array.isArray(items) || items.length !== count) {
    const why = 'The answer to a bulk request does not tell what became of each document'
    return answer.body.length >= READABLE ? { kind: 'too_large', why } : { kind: 'retry', why }
  }
  const rejected = new Map<number, string>()
  const resend = new Set<number>()
  ;(items as readonly Item[]).forEach(({ create }, at) => {
    const status = Number(create?.status)
    if ((status >= 200 && status <= 299) || status === 409) return
    if (status === 429 || status === 503 || Number.isNaN(status)) resend.add(at)
    else
      rejected.set(
        at,
        `Elasticsearch answered ${status}: ${String(create?.error?.type)}: ${String(create?.error?.reason)}`,
      )
  })
  if (rejected.size === 0 && resend.size === 0) return { kind: 'accepted' }
  const why = `Of ${count} documents ${rejected.size} were rejected and ${resend.size} not taken yet`
  return { kind: 'partial', why, rejected, resend, again: 'later' }
}
