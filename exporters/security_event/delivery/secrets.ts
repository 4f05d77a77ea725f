import type { SecurityEventConfig } from '../config.ts'

/** Hides what must not be told: servers may repeat tokens in their answers, and some URLs hold one. */
export class Secrets {
  /** Longest first: one may be part of another. */
  readonly #secrets: readonly string[]

  constructor(secrets: Iterable<string>) {
    this.#secrets = [...new Set(secrets)].filter(secret => secret.length >= 4).sort((a, b) => b.length - a.length)
  }

  /** The text with every secret replaced. */
  hide(text: string): string {
    return this.#secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '[REDACTED]'), text)
  }
}

/** Everything secret in a configuration: tokens, values of headers, and what is behind the scheme's word in them. */
export function secretsOf(config: SecurityEventConfig): Secrets {
  const headers = Object.values(config.headers)
  const { username, password } = new URL(config.endpoint)
  return new Secrets([
    config.token,
    encodeURIComponent(config.token),
    config.sentinel.client_secret,
    config.signing?.secret ?? '',
    decodeURIComponent(password),
    decodeURIComponent(username),
    ...headers,
    ...headers.flatMap(value => value.split(' ').slice(1)),
  ])
}
