import { parseRetryAfter } from '#core/net'
import type { Answer, Verdict } from './target.ts'

/** Statuses that say "later" where a target does not say otherwise. */
export const RETRYABLE: readonly number[] = [408, 429, 500, 502, 503, 504]

/** The longest wait a target is granted, in milliseconds. */
const LONGEST_WAIT = 3_600_000

/** What a status means by itself: any 2xx success, 413 too much, those in `retryable` later, everything else never. */
export function judgeStatus(answer: Answer, now: number, retryable: readonly number[] = RETRYABLE): Verdict {
  const { status } = answer
  if (status >= 200 && status <= 299) return { kind: 'accepted' }
  const why = `The target answered ${status}${said(answer)}`
  if (status === 413) return { kind: 'too_large', why }
  return retryable.includes(status) ? { kind: 'retry', why, ...retryAfter(answer, now) } : { kind: 'rejected', why }
}

/** The wait in `Retry-After`, in seconds or until a date, for a verdict. */
export function retryAfter({ headers }: Answer, now: number): { readonly after?: number } {
  const after = parseRetryAfter([headers['retry-after']].flat()[0], now)
  return after === undefined ? {} : { after: Math.min(after, LONGEST_WAIT) }
}

/** The beginning of what the body says, for the end of a sentence. */
export function said({ body }: Answer): string {
  const text = body.toString('utf8', 0, 400).replace(/\s+/g, ' ').trim()
  return text === '' ? '' : `: ${text.slice(0, 200)}`
}

/** The body as a JSON object; `undefined` when it is none. */
export function jsonOf({ body }: Answer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
