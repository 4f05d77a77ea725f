import {
  type AuthData,
  Code,
  type Component,
  type Context,
  type Metadata,
  PermanentError,
  type Recorders,
  RetryableError,
  type Timer,
} from '#core/component'
import { type ClientAuthenticator, type ServerAuthenticator, type Watched, watchFile } from '#core/net'
import type { BearerTokenAuthConfig } from './config.ts'
import { bearerTokenAuthInstruments } from './telemetry.ts'
import { parseTokens, Tokens } from './tokens.ts'

/** Lets in who shows one of its tokens, and shows the first of them to destinations. */
export class BearerTokenAuth implements Component, ServerAuthenticator, ClientAuthenticator {
  readonly secureOnly = true
  readonly challenge: string | undefined
  readonly #config: BearerTokenAuthConfig
  readonly #context: Context
  readonly #header: string
  readonly #prefix: string
  readonly #usage: Recorders<typeof bearerTokenAuthInstruments>['usage']
  #source: { readonly value: Tokens } | undefined
  #watched: Watched<Tokens> | undefined
  #retry: Timer | undefined
  #stopped = false

  constructor(config: BearerTokenAuthConfig, context: Context) {
    this.#config = config
    this.#context = context
    this.#header = config.header.toLowerCase()
    this.#prefix = config.scheme === '' ? '' : `${config.scheme} `
    // Another header than `authorization` is none that a challenge could ask for.
    this.challenge = this.#header === 'authorization' && config.scheme !== '' ? config.scheme : undefined
    this.#usage = context.meter.bind(bearerTokenAuthInstruments).usage
    const tokens = config.tokens.length > 0 ? config.tokens : [config.token]
    if (config.filename === '') this.#source = { value: new Tokens(tokens) }
  }

  async start(): Promise<void> {
    const { filename, token, tokens, file_retry: retry } = this.#config
    if (filename === '') return
    if (token !== '' || tokens.length > 0) {
      this.#context.logger.warn('a filename is specified. Configured token(s) is ignored!')
    }
    try {
      await this.#watch()
    } catch (error) {
      if (!retry.enabled) throw error
      this.#context.logger.warn('The token file is not usable yet, waiting for it', { error })
      this.#tryAgain(1)
    }
  }

  async shutdown(): Promise<void> {
    this.#stopped = true
    this.#retry?.cancel()
    this.#watched?.close()
  }

  async authenticate(headers: Metadata): Promise<AuthData> {
    const given = headers.get(this.#header)?.[0] ?? ''
    if (given === '') throw this.#refusal(`missing or empty authorization header: ${this.#config.header}`)
    const named = given.slice(0, this.#prefix.length).toLowerCase() === this.#prefix.toLowerCase()
    const index = this.#tokens().find(given.slice(this.#prefix.length))
    if (!named || index < 0) throw this.#refusal('scheme or token does not match')
    this.#count('server', 'success', index)
    return NAMELESS
  }

  async headers(): Promise<Readonly<Record<string, string>>> {
    const value = this.#prefix + this.#tokens().first
    this.#count('client', 'success', 0)
    return { [this.#header]: value }
  }

  async #watch(): Promise<void> {
    const watched = await watchFile(this.#config.filename, parseTokens, this.#context)
    if (this.#stopped) return watched.close()
    this.#watched = watched
    this.#source = watched
  }

  #tryAgain(attempt: number): void {
    const { max_retries: most, retry_interval: interval } = this.#config.file_retry
    const { clock, logger } = this.#context
    if (this.#stopped) return
    this.#retry = clock.after(interval, async () => {
      try {
        await this.#watch()
        this.#context.report('OK')
        logger.info('The token file has come')
      } catch (cause) {
        const error = cause as Error
        const last = most > 0 && attempt >= most
        this.#context.report(last ? 'PermanentError' : 'RecoverableError', error)
        if (last) logger.error('The token file did not come, nobody is let in', { error })
        else this.#tryAgain(attempt + 1)
      }
    })
  }

  #tokens(): Tokens {
    if (this.#source !== undefined) return this.#source.value
    throw new RetryableError(`No token yet: ${this.#config.filename} has not been read`, { code: Code.UNAVAILABLE })
  }

  #refusal(message: string): PermanentError {
    this.#count('server', 'failure', -1)
    return new PermanentError(message, { code: Code.UNAUTHENTICATED })
  }

  #count(type: 'client' | 'server', status: 'success' | 'failure', index: number): void {
    const labels = { auth_type: type, auth_status: status, token_index: String(index), token_matched: `${index >= 0}` }
    this.#usage.add(1, labels)
  }
}

/** A token tells nothing about its bearer. */
const NAMELESS: AuthData = Object.freeze({ attribute: () => undefined, names: [] })
