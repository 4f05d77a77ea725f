import type { Clock } from '#core/component'
import type { PoliteClient } from './polite-client.ts'
import type { ScanSession } from './scan-session.ts'
import { addressOf } from './scanner-deps.ts'
import { numberOf, objectOf, textOf } from './shape.ts'
import type { SourcesConfig } from './sources-config.ts'

/** Milliseconds before its end that a token is no longer used. */
const MARGIN = 60_000

/** The client's token, renewed when it ends. Never kept anywhere but here. Source: RFC 6749 §4.4. */
export class RedditToken {
  readonly #config: SourcesConfig['reddit']
  readonly #client: PoliteClient
  readonly #clock: Clock
  #token: { readonly value: string; readonly until: number } | undefined

  constructor(config: SourcesConfig['reddit'], client: PoliteClient, clock: Clock) {
    this.#config = config
    this.#client = client
    this.#clock = clock
  }

  /** @throws {SourcePaused} when the client is refused */
  async get(session: ScanSession): Promise<string> {
    if (this.#token !== undefined && this.#token.until > this.#clock.now()) return this.#token.value
    const { auth_endpoint, client_id, client_secret } = this.#config
    const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64')
    const granted = await this.#client.askJson(
      session,
      addressOf(auth_endpoint, '/api/v1/access_token'),
      {
        method: 'POST',
        headers: {
          authorization: `Basic ${basic}`,
          accept: 'application/json',
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=client_credentials',
      },
      json => {
        const { access_token, expires_in } = objectOf(json)
        const value = textOf(access_token)
        if (value === undefined) throw new Error('granted no token')
        return { value, until: this.#clock.now() + (numberOf(expires_in) ?? 3600) * 1000 - MARGIN }
      },
    )
    this.#token = granted!.value
    return this.#token.value
  }

  /** The token was refused. */
  forget(): void {
    this.#token = undefined
  }
}
