import { decodeJwt } from 'jose'
import { type AuthData, Code, type Context, PermanentError } from '#core/component'
import type { ProviderConfig } from './config.ts'
import { Provider } from './provider.ts'

/** All providers whose tokens are taken. */
export class Providers {
  readonly #all: readonly Provider[]

  private constructor(all: readonly Provider[]) {
    this.#all = all
  }

  /** @throws {Error} in the Collector's words when one of them has no keys to give */
  static async open(configs: readonly ProviderConfig[], context: Context): Promise<Providers> {
    const providers = new Providers(configs.map(config => new Provider(config, context)))
    const results = await Promise.allSettled(providers.#all.map(provider => provider.start()))
    const failed = results.flatMap(result => (result.status === 'rejected' ? [(result.reason as Error).message] : []))
    if (failed.length === 0) return providers
    await providers.close()
    throw new Error(`failed to get configuration from at least one configured auth server: ${failed.join('; ')}`)
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map(provider => provider.shutdown()))
  }

  /**
   * Checks a token and tells whose it is.
   * @throws {Refusal} UNAUTHENTICATED, or UNAVAILABLE when the issuer does not give its keys
   */
  async verify(token: string): Promise<AuthData> {
    return await this.#of(token).verify(token)
  }

  /** What an unverified token says chooses among the providers, and nothing else. */
  #of(token: string): Provider {
    if (this.#all.length === 1) return this.#all[0]!
    const issuer = issuerOf(token)
    const provider = this.#all.find(each => each.issuer === issuer)
    if (provider === undefined) throw refusal('no OIDC provider configured for the issuer of the token')
    return provider
  }
}

function refusal(message: string): PermanentError {
  return new PermanentError(message, { code: Code.UNAUTHENTICATED })
}

function issuerOf(token: string): unknown {
  try {
    return decodeJwt(token).iss
  } catch {
    throw refusal('failed to parse the token')
  }
}
