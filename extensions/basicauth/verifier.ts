import { createHmac, randomBytes } from 'node:crypto'
import type { Piscina } from 'piscina'
import { Code, RetryableError } from '#core/component'
import { sameDigest } from '#core/net'
import { isSlow, matches, type PasswordHash } from './password-hash.ts'

/** Checks that wait for the worker thread, at most. */
const MAX_WAITING = 64
/** Milliseconds after which an idle worker thread ends. */
const IDLE = 10_000

/**
 * Checks passwords. Slow hashes are computed in a worker thread, so that telemetry flows on beside them; a password that
 * was right is remembered as a keyed digest, so that a client pays once and not with each request.
 */
export class Verifier {
  readonly #key = randomBytes(32)
  readonly #known = new Map<string, { readonly hash: PasswordHash; readonly digest: Buffer }>()
  readonly #pending = new Map<string, Promise<boolean>>()
  #pool: Piscina | undefined
  #closed = false

  /**
   * Whether `password` is the one that was hashed for `user`.
   * @throws {RetryableError} when too many are asking
   */
  async verify(user: string, hash: PasswordHash, password: string): Promise<boolean> {
    if (!isSlow(hash)) return matches(hash, password)
    const digest = createHmac('sha256', this.#key).update(password).digest()
    const known = this.#known.get(user)
    if (known?.hash.text === hash.text && sameDigest(known.digest, digest)) return true
    const right = await this.#once(`${hash.text} ${digest.toString('base64')}`, hash, password)
    if (right) this.#known.set(user, { hash, digest })
    return right
  }

  /** Takes as long as {@link verify} and remembers nothing: for users that do not exist. */
  async pretend(hash: PasswordHash, password: string): Promise<void> {
    if (!isSlow(hash)) return void matches(hash, password)
    const digest = createHmac('sha256', this.#key).update(password).digest('base64')
    await this.#once(`${hash.text} ${digest}`, hash, password)
  }

  /** Forgets users that do not exist any more. */
  retain(users: ReadonlyMap<string, PasswordHash>): void {
    for (const user of this.#known.keys()) if (!users.has(user)) this.#known.delete(user)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#pool?.destroy()
  }

  /** Requests that come with the same password at the same time share one check. */
  #once(key: string, hash: PasswordHash, password: string): Promise<boolean> {
    const pending = this.#pending.get(key)
    if (pending !== undefined) return pending
    const check = this.#run(hash, password).finally(() => this.#pending.delete(key))
    this.#pending.set(key, check)
    return check
  }

  async #run(hash: PasswordHash, password: string): Promise<boolean> {
    if (this.#pending.size >= MAX_WAITING) {
      throw unavailable(`Too many passwords are being checked, ${MAX_WAITING} at once are allowed`)
    }
    try {
      const pool = await this.#opened()
      return await pool.run({ hash, password }, { name: 'slowlyMatches' })
    } catch (cause) {
      throw unavailable(`Could not check the password: ${(cause as Error).message}`)
    }
  }

  /** The library is loaded when it is needed, to keep starts short. */
  async #opened(): Promise<Piscina> {
    const { Piscina } = await import('piscina')
    if (this.#closed) throw new Error('the collector is stopping')
    this.#pool ??= new Piscina({ filename: WORKER, minThreads: 0, maxThreads: 1, idleTimeout: IDLE })
    return this.#pool
  }
}

function unavailable(message: string): RetryableError {
  return new RetryableError(message, { code: Code.UNAVAILABLE })
}

const WORKER = new URL('./slowly-matches.ts', import.meta.url).href
