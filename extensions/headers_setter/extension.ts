import { type Component, type ConsumeContext, type Context, type Host, PermanentError } from '#core/component'
import {
  type ClientAuthenticator,
  type HeaderChanges,
  type Headers,
  resolveClientAuthenticator,
  type Watched,
  watchFile,
} from '#core/net'
import type { HeaderConfig, HeadersSetterConfig } from './config.ts'
import { fromAttribute, fromContext, type Source } from './source.ts'

/** One header, ready to be set. */
interface Step {
  readonly name: string
  readonly action: HeaderConfig['action']
  readonly source: Source
}

/** Sets headers of requests to destinations. */
export class HeadersSetter implements Component, ClientAuthenticator {
  readonly #config: HeadersSetterConfig
  readonly #context: Context
  readonly #files: Watched<string>[] = []
  #steps: readonly Step[] = []
  #other: ClientAuthenticator | undefined
  #stopped = false

  constructor(config: HeadersSetterConfig, context: Context) {
    this.#config = config
    this.#context = context
  }

  /** The headers set here need not be secret; those of the other authenticator may be. */
  get secureOnly(): boolean {
    return this.#other?.secureOnly === true
  }

  async start(host: Host): Promise<void> {
    const { headers, additional_auth: authenticator } = this.#config
    if (authenticator !== undefined) this.#other = resolveClientAuthenticator({ authenticator }, host)
    if (headers.some(({ action }) => action === '')) {
      this.#context.logger.warn("A header has no action, it is set in any case; write 'action: upsert' to say so")
    }
    try {
      const steps: Step[] = []
      for (const header of headers) {
        steps.push({ name: header.key.toLowerCase(), action: header.action, source: await this.#source(header) })
      }
      this.#steps = steps
    } catch (error) {
      await this.shutdown()
      throw error
    }
  }

  async shutdown(): Promise<void> {
    this.#stopped = true
    for (const file of this.#files.splice(0)) file.close()
  }

  async headers(context: ConsumeContext, request: Headers): Promise<HeaderChanges> {
    const changes: Record<string, string | undefined> = { ...(await this.#other?.headers(context, request)) }
    for (const { name, action, source } of this.#steps) {
      const there = (name in changes ? changes[name] : request[name]) !== undefined
      if (action === 'delete') changes[name] = undefined
      else if (there ? action !== 'insert' : action !== 'update') changes[name] = checked(name, source(context))
    }
    return changes
  }

  async #source(header: HeaderConfig): Promise<Source> {
    const { value, value_file: file, from_context: context, from_attribute: attribute } = header
    if (header.action === 'delete') return () => ''
    if (value !== undefined) return () => value
    if (context !== '') return fromContext(context, header.default_value)
    if (attribute !== '') return fromAttribute(attribute, header.default_value)
    const watched = await watchFile(file, text => text.trim(), this.#context)
    if (this.#stopped) watched.close()
    else this.#files.push(watched)
    return () => watched.value
  }
}

/** What RFC 9110 §5.5 lets a value be: line ends would begin another header. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

function checked(name: string, value: string): string {
  if (VALUE.test(value)) return value
  throw new PermanentError(`Could not set header ${name}: its value has characters that headers cannot carry`)
}
