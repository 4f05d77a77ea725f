import type { Context } from '#core/component'
import { ConfigError, check, fromPlain, processEnvironment, t } from '#core/config'
import { createHttpClient, type HttpClient, httpClientFields, userAgent } from '#core/net'
import type { ProviderConfig } from './config.ts'
import { type Keys, parseKeys } from './keys.ts'

const CLIENT = t.section(httpClientFields())

/** Asks one issuer for its documents. Nothing else is asked, whatever a token says. */
export class Issuer {
  readonly #url: string
  readonly #client: HttpClient
  #keysUrl = ''

  private constructor(url: string, client: HttpClient) {
    this.#url = url
    this.#client = client
  }

  /** @throws {Error} when the authority's file cannot be read */
  static async open(config: ProviderConfig, { clock, logger, build }: Context): Promise<Issuer> {
    const written = { timeout: '5s', tls: { ca_file: config.issuer_ca_path } }
    const checked = check(CLIENT, fromPlain(written))
    if (checked.faults !== undefined) throw new ConfigError(checked.faults)
    const deps = { clock, logger, userAgent: userAgent(build), environment: processEnvironment() }
    return new Issuer(config.issuer_url, await createHttpClient(checked.value, deps))
  }

  /**
   * Finds out where the issuer has its keys (OpenID Connect Discovery 1.0 §4).
   * @throws {Error} when there is no document, or it is of another issuer
   */
  async discover(): Promise<void> {
    const address = `${this.#url.replace(/\/$/, '')}/.well-known/openid-configuration`
    const document = JSON.parse(await this.#get(address)) as { readonly issuer?: unknown; readonly jwks_uri?: unknown }
    if (document.issuer !== this.#url) {
      throw new Error(`issuer did not match the issuer returned by provider, expected "${this.#url}"`)
    }
    const keys = URL.parse(String(document.jwks_uri))
    const secure = URL.parse(this.#url)?.protocol === 'https:'
    if (keys === null || (keys.protocol !== 'https:' && (secure || keys.protocol !== 'http:'))) {
      throw new Error('the jwks_uri of the provider is not a URL that is as safe as its own')
    }
    this.#keysUrl = keys.href
  }

  /** @throws {Error} when the keys cannot be had or used */
  async keys(): Promise<Keys> {
    return parseKeys(await this.#get(this.#keysUrl))
  }

  async close(): Promise<void> {
    await this.#client.close()
  }

  async #get(url: string): Promise<string> {
    const { status, body } = await this.#client.get(url, { accept: 'application/json' })
    if (status !== 200) throw new Error(`${url} answered with status ${status}`)
    return body.toString('utf8')
  }
}
