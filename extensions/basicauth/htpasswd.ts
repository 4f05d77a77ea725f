import { type PasswordHash, recognize } from './password-hash.ts'

/** Who may come in, as htpasswd files say it. */
export interface Htpasswd {
  readonly users: ReadonlyMap<string, PasswordHash>
  /** Numbers of lines that say nothing: without a colon, or with a hash of an unknown kind. */
  readonly skipped: readonly number[]
}

/** Reads lines `user:hash`. Blank lines and comments (`#`) do not count; of two lines for one user the later counts. */
export function parseHtpasswd(text: string): Htpasswd {
  const users = new Map<string, PasswordHash>()
  const skipped: number[] = []
  for (const [i, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const colon = line.indexOf(':')
    const hash = colon < 0 ? undefined : recognize(line.slice(colon + 1))
    if (hash === undefined) skipped.push(i + 1)
    else users.set(line.slice(0, colon), hash)
  }
  return { users, skipped }
}
