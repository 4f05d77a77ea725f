import { Piscina } from 'piscina'
import {
  type Feed,
  type FeedTask,
  type Fragment,
  type Outcome,
  type PageTask,
  type PageText,
  type RobotsRuling,
  type RobotsTask,
  Unreadable,
} from './reading.ts'

/** Milliseconds for one task. */
const TIMEOUT = 10_000
const MEMORY = 256 << 20
/** Milliseconds that an idle thread stays. */
const IDLE = 30_000

export interface ReaderOptions {
  /** Threads at once; default 1. */
  readonly workers?: number
  /** Milliseconds for one task; default 10 000. */
  readonly timeout?: number
  /** Bytes of memory that one thread may take; default 256 MiB. */
  readonly memory?: number
  /** The module that threads run; for tests. */
  readonly worker?: URL
}

/**
 * Reads what strangers wrote in threads of limited time and memory. A thread that exceeds them is ended and replaced,
 * and the others go on.
 */
export interface Reader {
  /** @throws {Unreadable} */
  page(task: PageTask): Promise<PageText>
  /** @throws {Unreadable} */
  feed(task: FeedTask): Promise<Feed>
  /** In the order of `pieces`. @throws {Unreadable} */
  fragments(pieces: readonly Fragment[]): Promise<readonly string[]>
  /** @throws {Unreadable} */
  robots(task: RobotsTask): Promise<RobotsRuling>
  close(): Promise<void>
}

/** A reader whose threads start when there is something to read and end when there has been nothing for a while. */
export function createReader(options: ReaderOptions = {}): Reader {
  return new ThreadReader(options)
}

class ThreadReader implements Reader {
  readonly #options: ReaderOptions
  #pool: Piscina | undefined
  #closed = false
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(options: ReaderOptions) {
    this.#options = options
  }

  page(task: PageTask): Promise<PageText> {
    return this.#run('page', task)
  }

  feed(task: FeedTask): Promise<Feed> {
    return this.#run('feed', task)
  }

  async fragments(pieces: readonly Fragment[]): Promise<readonly string[]> {
    return pieces.length === 0 ? [] : this.#run('fragments', pieces)
  }

  robots(task: RobotsTask): Promise<RobotsRuling> {
    return this.#run('robots', task)
  }

  async close(): Promise<void> {
    this.#closed = true
    const pool = this.#pool
    this.#pool = undefined
    await pool?.destroy()
  }

  /** Tasks wait here, not in the pool, so that their time begins when a thread takes them. */
  async #run<T>(name: string, task: unknown): Promise<T> {
    if (this.#running >= (this.#options.workers ?? 1)) await new Promise<void>(resolve => this.#waiting.push(resolve))
    else this.#running++
    try {
      return await this.#runNow(name, task)
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }

  async #runNow<T>(name: string, task: unknown): Promise<T> {
    if (this.#closed) throw new Unreadable('The reader is closed', 'exhausted')
    const { timeout = TIMEOUT, memory = MEMORY } = this.#options
    this.#pool ??= this.#open()
    const signal = AbortSignal.timeout(timeout)
    let outcome: Outcome<T>
    try {
      outcome = (await this.#pool.run(task, { name, signal })) as Outcome<T>
    } catch (error) {
      if (signal.aborted) throw new Unreadable(`Reading it took longer than ${timeout} ms`, 'exhausted')
      throw new Unreadable(describe(error, memory), 'exhausted', { cause: error })
    }
    if ('fault' in outcome) throw new Unreadable(outcome.fault)
    return outcome.value
  }

  #open(): Piscina {
    const { workers = 1, memory = MEMORY, worker = new URL('worker.ts', import.meta.url) } = this.#options
    return new Piscina({
      filename: worker.href,
      minThreads: 0,
      maxThreads: workers,
      idleTimeout: IDLE,
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(memory / (1 << 20)) },
      atomics: 'disabled',
    })
  }
}

function describe(error: unknown, memory: number): string {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (code === 'ERR_WORKER_OUT_OF_MEMORY')
    return `Reading it took more than ${Math.ceil(memory / (1 << 20))} MiB of memory`
  return `Reading it failed: ${String(message)}`
}
