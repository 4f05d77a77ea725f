import { Refusal, RetryableError } from '#core/component'

/** What the sender is told when a file could not be written: disks fill up and are emptied again. */
export function writeError(path: string, cause: unknown): Refusal {
  if (cause instanceof Refusal) return cause
  const why = cause instanceof Error ? cause.message : String(cause)
  return new RetryableError(`Cannot write to file ${path}: ${why}`, { cause })
}
