import { type AuthData, Code, type Component, type Context, type Metadata, PermanentError } from '#core/component'
import type { ServerAuthenticator } from '#core/net'
import { type OidcConfig, providersOf } from './config.ts'
import type { Providers } from './providers.ts'

/** Lets in bearers of tokens that one of its providers has issued. */
export class OidcExtension implements Component, ServerAuthenticator {
  readonly challenge: string | undefined
  readonly #config: OidcConfig
  readonly #context: Context
  readonly #attribute: string
  #providers: Providers | undefined

  constructor(config: OidcConfig, context: Context) {
    this.#config = config
    this.#context = context
    this.#attribute = config.attribute.toLowerCase()
    this.challenge = this.#attribute === 'authorization' ? 'Bearer' : undefined
  }

  async start(): Promise<void> {
    // The library is loaded when it is needed, to keep starts of others short.
    const { Providers } = await import('./providers.ts')
    this.#providers = await Providers.open(providersOf(this.#config), this.#context)
  }

  async shutdown(): Promise<void> {
    await this.#providers?.close()
  }

  async authenticate(headers: Metadata): Promise<AuthData> {
    const header = headers.get(this.#attribute)?.[0] ?? ''
    if (header === '') throw refusal("authentication didn't succeed")
    const parts = header.split(' ')
    if (parts.length !== 2) throw refusal('invalid authorization header format')
    return await this.#providers!.verify(parts[1]!)
  }
}

function refusal(message: string): PermanentError {
  return new PermanentError(message, { code: Code.UNAUTHENTICATED })
}
