import { errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose'
import { type AuthData, Code, type Context, PermanentError, Refusal } from '#core/component'
import { type Watched, watchFile } from '#core/net'
import { authDataOf, identityOf } from './claims.ts'
import type { ProviderConfig } from './config.ts'
import { Issuer } from './issuer.ts'
import { IssuerKeys } from './issuer-keys.ts'
import { ALGORITHMS, type Keys, parseKeys } from './keys.ts'

/** Seconds by which our clock may be behind the issuer's; a token has expired when it says so. */
const LEEWAY = 300

/** Checks tokens of one issuer. */
export class Provider {
  readonly #config: ProviderConfig
  readonly #context: Context
  #file: Watched<Keys> | undefined
  #issuer: Issuer | undefined
  #keys: Keys = () => {
    throw new Error('the provider has not started')
  }

  constructor(config: ProviderConfig, context: Context) {
    this.#config = config
    this.#context = context
  }

  get issuer(): string {
    return this.#config.issuer_url
  }

  /** @throws {Error} when there are no keys to be had */
  async start(): Promise<void> {
    const { issuer_url: issuer, public_keys_file: file } = this.#config
    if (file !== '') {
      const watched = await watchFile(file, parseKeys, this.#context)
      this.#file = watched
      this.#keys = (header, token) => watched.value(header, token)
      return
    }
    this.#issuer = await Issuer.open(this.#config, this.#context)
    try {
      this.#keys = (await IssuerKeys.open(this.#issuer, this.#context)).find
    } catch (error) {
      throw new Error(`failed to create OIDC provider for "${issuer}": ${(error as Error).message}`, { cause: error })
    }
  }

  async shutdown(): Promise<void> {
    this.#file?.close()
    await this.#issuer?.close()
  }

  /**
   * Checks a token and tells whose it is.
   * @throws {Refusal} UNAUTHENTICATED, or UNAVAILABLE when the issuer does not give its keys
   */
  async verify(token: string): Promise<AuthData> {
    try {
      const claims = await this.#claimsOf(token)
      return authDataOf(token, claims, identityOf(claims, this.#config.username_claim, this.#config.groups_claim))
    } catch (error) {
      if (error instanceof Refusal) throw error
      throw new PermanentError(`failed to verify token: ${(error as Error).message}`, { code: Code.UNAUTHENTICATED })
    }
  }

  async #claimsOf(token: string): Promise<JWTPayload> {
    const { issuer_url: issuer, ignore_issuer, audience, ignore_audience } = this.#config
    const now = this.#context.clock.now()
    const options: JWTVerifyOptions = {
      algorithms: ALGORITHMS,
      requiredClaims: ['exp'],
      currentDate: new Date(now),
      clockTolerance: LEEWAY,
      ...(ignore_issuer ? {} : { issuer }),
      ...(ignore_audience ? {} : { audience }),
    }
    const payload = await verified(token, this.#keys, options)
    if (payload.exp! * 1000 <= now) throw new errors.JWTExpired('"exp" claim timestamp check failed', payload, 'exp')
    return payload
  }
}

/** A token that does not name its key may be signed with any that fits. */
async function verified(token: string, keys: Keys, options: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keys, options)).payload
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const key of error) {
      try {
        return (await jwtVerify(token, key, options)).payload
      } catch (inner) {
        if (!(inner instanceof errors.JWSSignatureVerificationFailed)) throw inner
      }
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}
