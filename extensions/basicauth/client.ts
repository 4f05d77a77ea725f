import type { Component, Context } from '#core/component'
import { type ClientAuthenticator, type Watched, watchFile } from '#core/net'
import type { ClientAuthConfig } from './config.ts'
import { basicHeader } from './credentials.ts'

/** Comes as a user with a password. */
export class BasicAuthClient implements Component, ClientAuthenticator {
  readonly secureOnly = true
  readonly #config: ClientAuthConfig
  readonly #context: Context
  readonly #files: Watched<string>[] = []
  #username: { readonly value: string }
  #password: { readonly value: string }
  #stopped = false

  constructor(config: ClientAuthConfig, context: Context) {
    this.#config = config
    this.#context = context
    this.#username = { value: config.username }
    this.#password = { value: config.password }
  }

  async start(): Promise<void> {
    const { username_file, password_file } = this.#config
    try {
      if (username_file !== '') this.#username = await this.#watch(username_file, parseUsername)
      if (password_file !== '') this.#password = await this.#watch(password_file, parsePassword)
    } catch (error) {
      await this.shutdown()
      throw error
    }
  }

  async shutdown(): Promise<void> {
    this.#stopped = true
    for (const file of this.#files.splice(0)) file.close()
  }

  async headers(): Promise<Readonly<Record<string, string>>> {
    return { authorization: basicHeader(this.#username.value, this.#password.value) }
  }

  async #watch(path: string, parse: (text: string) => string): Promise<Watched<string>> {
    const watched = await watchFile(path, parse, this.#context)
    if (this.#stopped) watched.close()
    else this.#files.push(watched)
    return watched
  }
}

function parseUsername(text: string): string {
  const name = text.trim()
  if (name === '') throw new Error('it is empty')
  if (name.includes(':')) throw new Error('a user name must not contain a colon')
  return name
}

function parsePassword(text: string): string {
  const password = text.trim()
  if (password === '') throw new Error('it is empty')
  return password
}
