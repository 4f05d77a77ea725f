import { matches, type PasswordHash } from './password-hash.ts'

/** What a worker thread is asked. */
export interface MatchingTask {
  readonly hash: PasswordHash
  readonly password: string
}

/** Runs in a worker thread: checking a password takes the better part of a tenth of a second. */
export function match({ hash, password }: MatchingTask): boolean {
  return matches(hash, password)
}
