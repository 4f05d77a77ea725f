import type { Clock, Logger } from '#core/component'
import { type FetchAnswer, FetchError, type Fetcher, type FetchRequest, parseRetryAfter } from '#core/net'
import type { MemoryTable } from '../store/store.ts'
import type { ScanSession } from './scan-session.ts'
import { SourcePaused } from './scanner.ts'
import { SourceMemory } from './source-memory.ts'
import { conditionsOf, readValidator, validatorKey, validatorOf } from './validators.ts'

/** Milliseconds of the first pause, and of the longest. */
const BASE_PAUSE = 30_000
const LONGEST_PAUSE = 3_600_000
/** Milliseconds that a source may ask for at most. */
const LONGEST_ASKED = 7 * 24 * 3_600_000
/** Failures in a row from which on the source is left alone for a while. */
const FAILURES = 3
/** Milliseconds that a scan waits when asked to; for longer it is given up. */
const PATIENCE = 60_000
/** Part of the least time between two requests that is added at random. */
const JITTER = 0.2

export interface PoliteClientOptions {
  /** A scanner's type. */
  readonly source: string
  readonly displayName: string
  readonly fetcher: Fetcher
  readonly memory: MemoryTable
  readonly clock: Clock
  readonly logger: Logger
  /** 0 to 1. */
  random(): number
  /** Least milliseconds between two requests. */
  readonly interval: number
  /** What an answer means by the source's own rules; `undefined`: what its status means everywhere. */
  judge?(answer: FetchAnswer, now: number): Verdict | undefined
}

/** `paused` without `until`: until the next scheduled scan. */
export type Verdict =
  | { readonly kind: 'paused'; readonly message: string; readonly until?: number }
  | { readonly kind: 'failed'; readonly message: string }

export interface AskOptions extends Pick<FetchRequest, 'method' | 'headers' | 'body' | 'maxBytes'> {
  /** Ask only for what is new since the last acknowledged answer. */
  readonly conditional?: boolean
  /** Statuses that say that there is no such thing: told by `undefined`. */
  readonly absent?: readonly number[]
}

/**
 * Asks one source as its operators wish: one request at a time, with pauses between, for changes only, and not at all
 * while it wants to be left alone. What it wants is kept across restarts.
 */
export class PoliteClient {
  readonly state: SourceMemory
  readonly #options: PoliteClientOptions
  #turn: Promise<unknown> = Promise.resolve()
  /** Monotonic milliseconds from which on the next request may go. */
  #next = Number.NEGATIVE_INFINITY

  constructor(options: PoliteClientOptions) {
    this.#options = options
    this.state = new SourceMemory(options.memory, options.source)
  }

  /**
   * @returns `undefined` when nothing has changed, or there is no such thing
   * @throws {SourcePaused} when the source wants to be left alone, now or since earlier
   * @throws {Error} when it failed, in one sentence
   */
  ask(session: ScanSession, url: string, options: AskOptions = {}): Promise<FetchAnswer | undefined> {
    const asked = this.#turn.then(() => this.#ask(session, url, options))
    this.#turn = asked.catch(() => {})
    return asked
  }

  /**
   * The same for JSON, read by `read`, which throws when it is not what it should be.
   * @throws {Error} also when the answer is a web page, cut off or no JSON
   */
  async askJson<T>(session: ScanSession, url: string, options: AskOptions, read: (json: unknown) => T) {
    const answer = await this.ask(session, url, options)
    if (answer === undefined) return undefined
    try {
      return { value: read(parseJson(answer)), answer }
    } catch (error) {
      if (error instanceof SourcePaused) throw error
      throw await this.failed(error instanceof Error ? error.message : String(error))
    }
  }

  /** Counts a failure. @returns the error that tells of it */
  async failed(what: string): Promise<Error> {
    const now = this.#options.clock.now()
    const failures = ((await this.state.state()).failures ?? 0) + 1
    const message = `${this.#options.displayName} ${what}`
    if (failures < FAILURES) await this.state.change({ failures }, now)
    else await this.pause(message, now + this.#backoff(failures - FAILURES), failures)
    return new Error(message)
  }

  /** Leaves the source alone. @returns the error that tells of it */
  async pause(message: string, until: number, failures?: number): Promise<SourcePaused> {
    const now = this.#options.clock.now()
    const notBefore = Math.min(until, now + LONGEST_ASKED)
    await this.state.change({ notBefore, reason: message, ...(failures === undefined ? {} : { failures }) }, now)
    this.#options.logger.info('A source is left alone for a while', {
      source: this.#options.source,
      reason: message,
      until: new Date(notBefore).toISOString(),
    })
    return new SourcePaused(message, notBefore)
  }

  /** The next request waits so many milliseconds. */
  async hold(milliseconds: number): Promise<void> {
    const now = this.#options.clock.now()
    await this.state.change({ holdUntil: now + Math.min(milliseconds, LONGEST_ASKED) }, now)
  }

  async #ask(session: ScanSession, url: string, options: AskOptions): Promise<FetchAnswer | undefined> {
    const { clock, fetcher, memory } = this.#options
    session.signal.throwIfAborted()
    await this.#admit(session.signal)
    const { conditional = false, absent = [], headers = {}, ...rest } = options
    const key = conditional ? validatorKey(url, session.search) : undefined
    const known = key === undefined ? undefined : await readValidator(memory, key)
    if (known?.freshUntil !== undefined && known.freshUntil > clock.now()) {
      session.notModified++
      return undefined
    }
    await this.#pace(session.signal)
    session.requests++
    let answer: FetchAnswer
    try {
      answer = await fetcher.fetch(url, {
        ...rest,
        headers: { ...headers, ...conditionsOf(known) },
        signal: session.signal,
      })
    } catch (error) {
      if (!(error instanceof FetchError)) throw error
      throw await this.failed(`could not be asked: ${error.message}`)
    }
    const now = clock.now()
    if (answer.status === 304) {
      if (key !== undefined) session.validators.set(key, { ...known, freshUntil: 0, ...validatorOf(answer, now) })
      session.notModified++
      await this.#succeeded()
      return undefined
    }
    if (absent.includes(answer.status)) return undefined
    await this.#judge(answer, now)
    const validator = validatorOf(answer, now)
    if (key !== undefined && validator !== undefined) session.validators.set(key, validator)
    await this.#succeeded()
    return answer
  }

  /** Waits a little when the source asked for it. @throws {SourcePaused} when it wants to be left alone */
  async #admit(signal: AbortSignal): Promise<void> {
    const { clock, displayName } = this.#options
    const { notBefore = 0, holdUntil = 0, reason = `${displayName} asked to be left alone` } = await this.state.state()
    const now = clock.now()
    if (notBefore > now) throw new SourcePaused(reason, notBefore)
    if (holdUntil <= now) return
    if (holdUntil - now > PATIENCE) throw new SourcePaused(`${displayName} asked for a pause`, holdUntil)
    await clock.sleep(holdUntil - now, signal)
  }

  async #pace(signal: AbortSignal): Promise<void> {
    const { clock, interval, random } = this.#options
    const wait = this.#next - clock.monotonic()
    if (wait > 0) await clock.sleep(wait, signal)
    this.#next = clock.monotonic() + interval * (1 + JITTER * random())
  }

  async #judge(answer: FetchAnswer, now: number): Promise<void> {
    const { displayName } = this.#options
    const { status } = answer
    const verdict = this.#options.judge?.(answer, now)
    if (verdict?.kind === 'failed') throw await this.failed(verdict.message)
    if (verdict?.kind === 'paused') {
      const message = `${displayName} ${verdict.message}`
      throw verdict.until === undefined ? new SourcePaused(message) : await this.pause(message, verdict.until)
    }
    if (status === 401) throw new SourcePaused(`${displayName} refuses the credentials (unauthorized, status 401)`)
    if (status === 403) throw new SourcePaused(`${displayName} lets nobody in (blocked, status 403)`)
    if (status === 429 || status === 503) {
      const failures = ((await this.state.state()).failures ?? 0) + 1
      const asked = parseRetryAfter(answer.headers['retry-after'], now)
      const what = status === 429 ? 'wants fewer requests' : 'is not available'
      throw await this.pause(
        `${displayName} ${what} (status ${status})`,
        now + (asked ?? this.#backoff(failures - 1)),
        failures,
      )
    }
    if (status >= 200 && status < 300) return
    if (status >= 500) throw await this.failed(`failed with status ${status}`)
    throw new Error(`${displayName} answered with status ${status}`)
  }

  async #succeeded(): Promise<void> {
    const { failures, notBefore } = await this.state.state()
    if (failures === undefined && notBefore === undefined) return
    const now = this.#options.clock.now()
    await this.state.change({ failures: undefined, notBefore: undefined, reason: undefined }, now)
  }

  /** Exponential with full jitter, at least a second. */
  #backoff(exponent: number): number {
    const most = Math.min(LONGEST_PAUSE, BASE_PAUSE * 2 ** exponent)
    return Math.max(1000, Math.round(most * this.#options.random()))
  }
}

function parseJson(answer: FetchAnswer): unknown {
  const text = Buffer.from(answer.body).toString().trimStart()
  if (text.startsWith('<'))
    throw new Error(`answered with a web page where JSON was expected (status ${answer.status})`)
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('answered with what is no valid JSON, or is cut off')
  }
}
