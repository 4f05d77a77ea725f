import { createSign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type Clock, RetryableError } from '#core/component'
import type { HttpReply } from '#core/net'
import type { SecurityEventConfig } from '../config.ts'

/** Posts a form and gives the answer. */
export type PostForm = (url: string, form: URLSearchParams, signal: AbortSignal) => Promise<HttpReply>

/** A new token is fetched this long before the old one ends, in milliseconds. */
const EARLY = 60_000

/** What a token is asked for with. Made anew for each request, since it may be signed with the time. */
interface Grant {
  readonly url: string
  readonly form: URLSearchParams
}

/** An OAuth 2.0 access token that is fetched when there is none, kept until shortly before its end, and then renewed. */
export class AccessToken {
  readonly #grant: () => Promise<Grant>
  readonly #post: PostForm
  readonly #clock: Clock
  #token: { readonly value: string; readonly until: number } | undefined
  #fetching: Promise<string> | undefined

  constructor(grant: () => Promise<Grant>, post: PostForm, clock: Clock) {
    this.#grant = grant
    this.#post = post
    this.#clock = clock
  }

  /**
   * The token, fetched once however many ask at a time.
   * @throws {RetryableError} when there is none to be had
   */
  get(signal: AbortSignal): Promise<string> {
    if (this.#token !== undefined && this.#clock.now() < this.#token.until) return Promise.resolve(this.#token.value)
    this.#fetching ??= this.#fetch(signal).finally(() => {
      this.#fetching = undefined
    })
    return this.#fetching
  }

  /** Forgets the token: the target did not take it. */
  renew(): void {
    this.#token = undefined
  }

  async #fetch(signal: AbortSignal): Promise<string> {
    const { url, form } = await this.#grant()
    const reply = await this.#post(url, form, signal)
    const said = parse(reply.body)
    const value = said.access_token
    if (reply.status !== 200 || typeof value !== 'string') {
      const why = typeof said.error === 'string' ? `: ${said.error}` : ''
      throw new RetryableError(`Could not get an access token, the authority answered ${reply.status}${why}`)
    }
    const seconds = Number(said.expires_in)
    const lasts = (Number.isFinite(seconds) ? seconds : 300) * 1000
    this.#token = { value, until: this.#clock.now() + Math.max(lasts - EARLY, lasts / 2) }
    return value
  }
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    return (JSON.parse(body.toString()) ?? {}) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** Whether requests need a token beside the configured headers. */
export function needsAccessToken({ preset, google_secops }: SecurityEventConfig): boolean {
  return preset === 'sentinel' || (preset === 'google_secops' && google_secops.credentials_file !== '')
}

/** The token of a preset that needs one. */
export function accessTokenOf(config: SecurityEventConfig, post: PostForm, clock: Clock): AccessToken {
  if (config.preset === 'sentinel') return new AccessToken(async () => sentinelGrant(config.sentinel), post, clock)
  return new AccessToken(() => serviceAccountGrant(config.google_secops.credentials_file, clock.now()), post, clock)
}

/** Client credentials for Azure Monitor. Source: OAuth 2.0 client credentials flow of the Microsoft identity platform. */
function sentinelGrant(options: SecurityEventConfig['sentinel']): Grant {
  const { authority, tenant_id, client_id, client_secret } = options
  return {
    url: `${authority.replace(/\/$/, '')}/${encodeURIComponent(tenant_id)}/oauth2/v2.0/token`,
    form: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id,
      client_secret,
      scope: 'https://monitor.azure.com/.default',
    }),
  }
}

/** A signed assertion of a Google service account (RFC 7523). */
async function serviceAccountGrant(file: string, now: number): Promise<Grant> {
  const key = JSON.parse(await readFile(file, 'utf8')) as Record<'client_email' | 'private_key' | 'token_uri', string>
  const seconds = Math.floor(now / 1000)
  const claims = {
    iss: key.client_email,
    scope: 'https://www.googleapis.com/auth/cloud-platform',
    aud: key.token_uri,
    iat: seconds,
    exp: seconds + 3600,
  }
  const unsigned = [{ alg: 'RS256', typ: 'JWT' }, claims]
    .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = createSign('RSA-SHA256').update(unsigned).sign(key.private_key, 'base64url')
  return {
    url: key.token_uri,
    form: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: `${unsigned}.${signature}`,
    }),
  }
}
