import { type Code, isRetryable, PartialError, PermanentError, type Refusal, RetryableError } from '#core/component'

/**
 * What to tell a sender whose payload went several ways and was refused on some of them.
 *
 * - One refusal is passed on as it is.
 * - Retryable as soon as one is: the sender's copy is the only one left for that branch. Branches that took the payload
 *   will see it twice, as in the Collector. The longest wait that a branch asked for is passed on.
 * - Permanent when none is retryable and one is permanent.
 * - Partial when all are partial, with the largest number of rejected items.
 *
 * A status code is kept when all branches of the deciding kind name the same one.
 *
 * @param errors what the failed branches rejected with, at least one
 */
export function combineRefusals(errors: readonly unknown[]): unknown {
  if (errors.length === 1) return errors[0]
  const message = [...new Set(errors.map(sentence))].join('; ')
  const cause = new AggregateError(errors, message)
  const retryable = errors.filter(isRetryable)
  if (retryable.length > 0) {
    const waits = retryable.flatMap(error => (error instanceof RetryableError && error.after) || [])
    const after = waits.length > 0 ? { after: Math.max(...waits) } : {}
    return new RetryableError(message, { cause, ...after, ...commonCode(retryable) })
  }
  const permanent = errors.filter(error => error instanceof PermanentError)
  if (permanent.length > 0) return new PermanentError(message, { cause, ...commonCode(permanent) })
  const rejected = Math.max(...errors.map(error => (error as PartialError).rejected))
  return new PartialError(rejected, message, { cause, ...commonCode(errors) })
}

function commonCode(errors: readonly unknown[]): { readonly code?: Code } {
  const [first, ...others] = errors.map(error => (error as Partial<Refusal> | undefined)?.code)
  return first !== undefined && others.every(code => code === first) ? { code: first } : {}
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
