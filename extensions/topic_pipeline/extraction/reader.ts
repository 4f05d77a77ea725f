import {
  type Feed,
  type FeedTask,
  type Fragment,
  type PageTask,
  type PageText,
  type RobotsRuling,
  type RobotsTask,
  Unreadable,
} from './reading.ts'
import { ProcessEnded, ReadingProcess } from './reading-process.ts'

/** Milliseconds for one task. */
const TIMEOUT = 10_000
const MEMORY = 256 << 20
/** Milliseconds that an idle process stays. */
const IDLE = 30_000

export interface ReaderOptions {
  /** Processes at once; default 1. */
  readonly processes?: number
  /** Milliseconds for one task; default 10 000. */
  readonly timeout?: number
  /** Bytes of memory that one process may take; default 256 MiB. */
  readonly memory?: number
  /** The module that processes run; for tests. */
  readonly program?: URL
}

/**
 * Reads what strangers wrote in processes of limited time and memory. One that exceeds them is ended and replaced, and
 * everything else goes on.
 */
export interface Reader {
  /** @throws {Unreadable} */
  page(task: PageTask): Promise<PageText>
  /** @throws {Unreadable} */
  feed(task: FeedTask): Promise<Feed>
  /** In the order of `pieces`; empty what cannot be read. @throws {Unreadable} when the reader is closed */
  fragments(pieces: readonly Fragment[]): Promise<readonly string[]>
  /** @throws {Unreadable} */
  robots(task: RobotsTask): Promise<RobotsRuling>
  close(): Promise<void>
}

/** A reader whose processes start when there is something to read and end when there has been nothing for a while. */
export function createReader(options: ReaderOptions = {}): Reader {
  return new ProcessReader(options)
}

class ProcessReader implements Reader {
  readonly #options: ReaderOptions
  readonly #idle: { readonly process: ReadingProcess; readonly timer: NodeJS.Timeout }[] = []
  readonly #all = new Set<ReadingProcess>()
  readonly #waiting: (() => void)[] = []
  #running = 0
  #closed = false

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
    if (pieces.length === 0) return []
    try {
      return await this.#run('fragments', pieces)
    } catch (error) {
      if (!(error instanceof Unreadable) || this.#closed) throw error
      if (pieces.length === 1) return ['']
    }
    // One of them spoils it for the others, so each is read for itself.
    const texts: string[] = []
    for (const piece of pieces) texts.push(...(await this.fragments([piece])))
    return texts
  }

  robots(task: RobotsTask): Promise<RobotsRuling> {
    return this.#run('robots', task)
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const { timer } of this.#idle.splice(0)) clearTimeout(timer)
    await Promise.all([...this.#all].map(process => process.end()))
  }

  async #run<T>(name: string, task: unknown): Promise<T> {
    if (this.#running >= (this.#options.processes ?? 1)) await new Promise<void>(resolve => this.#waiting.push(resolve))
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
    const { timeout = TIMEOUT } = this.#options
    const process = this.#take()
    try {
      const outcome = await process.ask<T>({ name, task, timeout })
      if ('late' in outcome) throw new Unreadable(`Reading it took longer than ${timeout} ms`, 'exhausted')
      this.#giveBack(process)
      if ('fault' in outcome) throw new Unreadable(outcome.fault)
      return outcome.value
    } catch (error) {
      if (error instanceof Unreadable && error.reason === 'malformed') throw error
      // What was broken off in the middle is in no state to go on.
      this.#all.delete(process)
      void process.end()
      throw error instanceof Unreadable ? error : new Unreadable(this.#describe(error), 'exhausted', { cause: error })
    }
  }

  #take(): ReadingProcess {
    for (;;) {
      const idle = this.#idle.pop()
      if (idle === undefined) break
      clearTimeout(idle.timer)
      if (!idle.process.ended) return idle.process
      this.#all.delete(idle.process)
    }
    const { memory = MEMORY, program = new URL('worker.ts', import.meta.url) } = this.#options
    const process = new ReadingProcess(program, memory)
    this.#all.add(process)
    return process
  }

  #giveBack(process: ReadingProcess): void {
    if (this.#closed) return
    const timer = setTimeout(() => {
      const index = this.#idle.findIndex(each => each.process === process)
      if (index < 0) return
      this.#idle.splice(index, 1)
      this.#all.delete(process)
      void process.end()
    }, IDLE)
    this.#idle.push({ process, timer })
  }

  #describe(error: unknown): string {
    if (this.#closed) return 'The reader is closed'
    const { memory = MEMORY } = this.#options
    if (error instanceof ProcessEnded && error.exhausted) {
      return `Reading it took more than ${Math.ceil(memory / (1 << 20))} MiB of memory`
    }
    return `Reading it failed: ${error instanceof Error ? error.message : String(error)}`
  }
}
