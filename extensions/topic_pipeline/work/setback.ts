import { FetchError } from '#core/net'
import { ModelError } from '../language_model/language-model.ts'
import type { Job, Setback } from '../model/job.ts'
import { SourcePaused, Unobtainable } from '../scanners/scanner.ts'

/** Milliseconds that a source which did not say how long is left alone. */
const PAUSE = 3_600_000

/** What an error means for the job it stopped. */
export function setbackOf(error: unknown, job: Job, now: number): Setback {
  const message = error instanceof Error ? error.message : String(error)
  // Who asked for a draft hears at once that there is none and asks again when it suits them.
  if (job.stage === 'GENERATE' || error instanceof Unobtainable) return { kind: 'permanent', message }
  if (error instanceof SourcePaused) return { kind: 'paused', message, notBefore: error.until ?? now + PAUSE }
  if (error instanceof FetchError && error.reason === 'refused') return { kind: 'permanent', message }
  if (!(error instanceof ModelError)) return { kind: 'retry', message }
  switch (error.reason) {
    case 'busy':
      return { kind: 'retry', message, notBefore: now + (error.retryAfter ?? 0) }
    case 'budget':
      return { kind: 'paused', message, notBefore: now + PAUSE }
    case 'invalid':
      return { kind: 'retry', message }
    default:
      return { kind: 'permanent', message }
  }
}
