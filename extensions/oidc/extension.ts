import { decodeJwt } from 'jose'
import { type AuthData, Code, type Component, type Context, type Metadata, PermanentError } from '#core/component'
import type { ServerAuthenticator } from '#core/net'
import { type OidcConfig, providersOf } from './config.ts'
import { Provider } from './provider.ts'

/** Lets in bearers of tokens that one of its providers has issued. */
export class OidcExtension implements Component, ServerAuthenticator {
  readonly challenge: string | undefined
  readonly #attribute: string
  readonly #providers: readonly Provider[]

  constructor(config: OidcConfig, context: Context) {
    this.#attribute = config.attribute.toLowerCase()
    this.challenge = this.#attribute === 'authorization' ? 'Bearer' : undefined
    this.#providers = providersOf(config).map(provider => new Provider(provider, context))
  }

  async start(): Promise<void> {
    const results = await Promise.allSettled(this.#providers.map(provider => provider.start()))
    const failed = results.flatMap(result => (result.status === 'rejected' ? [(result.reason as Error).message] : []))
    if (failed.length === 0) return
    await this.shutdown()
    throw new Error(`failed to get configuration from at least one configured auth server: ${failed.join('; ')}`)
  }

  async shutdown(): Promise<void> {
    await Promise.all(this.#providers.map(provider => provider.shutdown()))
  }

  async authenticate(headers: Metadata): Promise<AuthData> {
    const header = headers.get(this.#attribute)?.[0] ?? ''
    if (header === '') throw refusal("authentication didn't succeed")
    const parts = header.split(' ')
    if (parts.length !== 2) throw refusal('invalid authorization header format')
    const token = parts[1]!
    return await this.#providerOf(token).verify(token)
  }

  /** What an unverified token says chooses among the providers, and nothing else. */
  #providerOf(token: string): Provider {
    if (this.#providers.length === 1) return this.#providers[0]!
    const issuer = issuerOf(token)
    const provider = this.#providers.find(each => each.issuer === issuer)
    if (provider === undefined) throw refusal('no OIDC provider configured for the issuer of the token')
    return provider
  }
}

function issuerOf(token: string): unknown {
  try {
    return decodeJwt(token).iss
  } catch {
    throw refusal('failed to parse the token')
  }
}

function refusal(message: string): PermanentError {
  return new PermanentError(message, { code: Code.UNAUTHENTICATED })
}
