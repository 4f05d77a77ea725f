import type { Signal } from '#core/data'
import { forEachField } from '../proto-fields.ts'

/** What a destination could not use of an export request that it took. */
export interface PartialSuccess {
  /** Items it rejected; 0: all taken, and `message` is a warning. */
  readonly rejected: number
  readonly message: string
}

/**
 * The partial success in an export response in protobuf (field 1: rejected items 1, error message 2); `undefined` when
 * all was taken without a word, or when the bytes are no export response.
 * Source: https://opentelemetry.io/docs/specs/otlp/#partial-success
 */
export function partialSuccess(bytes: Buffer): PartialSuccess | undefined {
  let rejected = 0
  let message = ''
  const sound = forEachField(bytes, (field, partial) => {
    if (field !== 1 || typeof partial === 'number') return
    forEachField(partial, (part, value) => {
      if (part === 1 && typeof value === 'number') rejected = value
      else if (part === 2 && typeof value !== 'number') message = value.toString()
    })
  })
  return sound ? unlessEmpty(rejected, message) : undefined
}

/** The same from an export response in OTLP/JSON. */
export function partialSuccessJson(signal: Signal, text: string): PartialSuccess | undefined {
  try {
    const partial = JSON.parse(text)?.partialSuccess
    return unlessEmpty(Number(partial?.[REJECTED[signal]] ?? 0) || 0, String(partial?.errorMessage ?? ''))
  } catch {
    return undefined
  }
}

function unlessEmpty(rejected: number, message: string): PartialSuccess | undefined {
  return rejected <= 0 && message === '' ? undefined : { rejected: Math.max(0, rejected), message }
}

const REJECTED = {
  traces: 'rejectedSpans',
  metrics: 'rejectedDataPoints',
  logs: 'rejectedLogRecords',
  profiles: 'rejectedProfiles',
} as const satisfies Record<Signal, string>
