import { errors } from 'jose'
import { Code, type Context, RetryableError } from '#core/component'
import type { Issuer } from './issuer.ts'
import type { Keys } from './keys.ts'

/** Milliseconds after which keys are asked for again, so that those taken back are noticed. */
const MAX_AGE = 600_000
/** Milliseconds between two askings, so that tokens with invented key ids do not flood the issuer. */
const COOL_DOWN = 10_000

/**
 * The keys of an issuer, kept and asked for again: when a token names a key that is not known (the issuer has rotated
 * them) and every ten minutes. While the issuer does not answer, the former keys count.
 */
export class IssuerKeys {
  readonly #issuer: Issuer
  readonly #context: Context
  #keys: Keys
  #fetched: number
  #tried: number
  #fetching: Promise<void> | undefined

  private constructor(issuer: Issuer, keys: Keys, context: Context) {
    this.#issuer = issuer
    this.#keys = keys
    this.#context = context
    this.#fetched = this.#tried = context.clock.monotonic()
  }

  /** @throws {Error} when the issuer has no keys to give */
  static async open(issuer: Issuer, context: Context): Promise<IssuerKeys> {
    await issuer.discover()
    return new IssuerKeys(issuer, await issuer.keys(), context)
  }

  readonly find: Keys = async (header, token) => {
    const now = this.#context.clock.monotonic()
    const mayAsk = now - this.#tried >= COOL_DOWN
    // Nobody waits for the regular asking.
    if (mayAsk && now - this.#fetched >= MAX_AGE) void this.#fetch().catch(() => {})
    try {
      return await this.#keys(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !(mayAsk || this.#fetching)) throw error
    }
    try {
      await this.#fetch()
    } catch (cause) {
      throw new RetryableError('Could not get the keys of the issuer', { code: Code.UNAVAILABLE, cause })
    }
    return await this.#keys(header, token)
  }

  #fetch(): Promise<void> {
    this.#fetching ??= this.#refresh().finally(() => {
      this.#fetching = undefined
    })
    return this.#fetching
  }

  async #refresh(): Promise<void> {
    const { clock, logger } = this.#context
    this.#tried = clock.monotonic()
    try {
      this.#keys = await this.#issuer.keys()
      this.#fetched = this.#tried
      logger.debug('Keys of the issuer fetched')
    } catch (error) {
      logger.warn('Could not get the keys of the issuer, the former ones count', { error })
      throw error
    }
  }
}
