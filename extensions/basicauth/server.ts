import type { AuthData, Component, Context, Metadata } from '#core/component'
import { type ServerAuthenticator, type Watched, watchFile } from '#core/net'
import type { HtpasswdConfig } from './config.ts'
import { type Credentials, credentialsOf, refusal } from './credentials.ts'
import { type Htpasswd, parseHtpasswd } from './htpasswd.ts'
import { isSlow, type PasswordHash } from './password-hash.ts'
import { Verifier } from './verifier.ts'

/** Lets in users of an htpasswd file. */
export class BasicAuthServer implements Component, ServerAuthenticator {
  readonly challenge = 'Basic realm="collector", charset="UTF-8"'
  readonly #config: HtpasswdConfig
  readonly #context: Context
  readonly #verifier = new Verifier()
  #file: Watched<Htpasswd> | undefined
  #users: ReadonlyMap<string, PasswordHash> = new Map()
  /** What {@link #users} was made of. */
  #merged: Htpasswd | undefined
  #stopped = false

  constructor(config: HtpasswdConfig, context: Context) {
    this.#config = config
    this.#context = context
    this.#users = this.#read('htpasswd::inline', config.inline).users
  }

  async start(): Promise<void> {
    const { file } = this.#config
    if (file === '') return
    const watched = await watchFile(file, text => usersOf(this.#read(file, text)), this.#context)
    if (this.#stopped) watched.close()
    else this.#file = watched
  }

  async shutdown(): Promise<void> {
    this.#stopped = true
    this.#file?.close()
    await this.#verifier.close()
  }

  async authenticate(headers: Metadata): Promise<AuthData> {
    const credentials = credentialsOf(headers)
    const { username, password } = credentials
    const users = this.#current()
    const hash = users.get(username)
    if (hash === undefined) await this.#pretend(users, password)
    else if (await this.#verifier.verify(username, hash, password)) return authDataOf(credentials)
    throw refusal('invalid credentials')
  }

  /** An unknown user takes as long as a known one, so that time does not tell who exists. */
  async #pretend(users: ReadonlyMap<string, PasswordHash>, password: string): Promise<void> {
    const decoy = [...users.values()].find(isSlow)
    if (decoy !== undefined) await this.#verifier.pretend(decoy, password)
  }

  #current(): ReadonlyMap<string, PasswordHash> {
    const said = this.#file?.value
    if (said !== undefined && said !== this.#merged) {
      this.#merged = said
      this.#users = new Map([...said.users, ...parseHtpasswd(this.#config.inline).users])
      this.#verifier.retain(this.#users)
    }
    return this.#users
  }

  #read(source: string, text: string): Htpasswd {
    const htpasswd = parseHtpasswd(text)
    if (htpasswd.skipped.length > 0) {
      const why = 'Lines of htpasswd say nothing: they have no colon or a hash of an unknown kind'
      this.#context.logger.warn(why, { source, lines: htpasswd.skipped })
    }
    return htpasswd
  }
}

/** A file that is just being written looks empty. */
function usersOf(htpasswd: Htpasswd): Htpasswd {
  if (htpasswd.users.size === 0) throw new Error('it has no user')
  return htpasswd
}

function authDataOf({ username, raw }: Credentials): AuthData {
  return {
    names: ['username', 'raw'],
    attribute: name => (name === 'username' ? username : name === 'raw' ? raw : undefined),
  }
}
