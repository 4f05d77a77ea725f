import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { FrameReader, frameOf } from './frames.ts'
import type { Order, Outcome } from './reading.ts'
import { OUTCOMES } from './serve-tasks.ts'

/** Milliseconds beyond the time of a task after which the process itself is at fault; its start is among them. */
const GRACE = 30_000

/** Characters of standard error that are looked at. */
const COMPLAINT = 4_000

/** A process ended before it answered. */
export class ProcessEnded extends Error {
  override name = 'ProcessEnded'
  /** It needed more memory than it may have. */
  readonly exhausted: boolean
  constructor(code: number | null, signal: NodeJS.Signals | null, complaint: string) {
    const why = /^\w*Error.*$/m.exec(complaint)?.[0]
    super(`The process ended with ${signal ?? `code ${code}`}${why === undefined ? '' : `: ${why}`}`)
    this.exhausted = signal === 'SIGABRT' || code === 134
  }
}

/**
 * A process of its own for what may take any memory: a thread that runs out of it takes the whole process along, whatever
 * limit it was given. It knows nothing of the environment, and ends when its input does.
 */
export class ReadingProcess {
  readonly #child: ChildProcess
  readonly #frames = new FrameReader()
  #asked: PromiseWithResolvers<unknown> | undefined
  #ended: Error | undefined

  /**
   * @param program a module that calls `serveTasks`
   * @param memory bytes
   */
  constructor(program: URL, memory: number) {
    const limits = [`--max-old-space-size=${Math.ceil(memory / (1 << 20))}`, '--max-semi-space-size=8']
    this.#child = spawn(process.execPath, [...limits, fileURLToPath(program)], {
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
      env: {},
      // Signals of a terminal are for the parent, which ends the child in its own time.
      detached: true,
    })
    this.#child.on('error', error => this.#end(error))
    let complaint = ''
    this.#child.stderr!.on('data', (piece: Buffer) => {
      if (complaint.length < COMPLAINT) complaint += piece.toString()
    })
    this.#child.on('close', (code, signal) => this.#end(new ProcessEnded(code, signal, complaint)))
    this.#child.stdin!.on('error', () => {})
    const outcomes = this.#child.stdio[OUTCOMES] as Readable
    outcomes
      .on('error', () => {})
      .on('data', (piece: Buffer) => {
        for (const outcome of this.#frames.push(piece)) this.#settle(outcome)
      })
  }

  /** Its number; `undefined` when it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Whether it can take no more orders. */
  get ended(): boolean {
    return this.#ended !== undefined
  }

  /**
   * One order at a time.
   * @throws {ProcessEnded}
   * @throws {Error} when it could not be started
   */
  async ask<T>(order: Order): Promise<Outcome<T>> {
    if (this.#ended !== undefined) throw this.#ended
    this.#asked = Promise.withResolvers()
    const { promise } = this.#asked
    const timer = setTimeout(() => {
      this.#settle({ late: true })
      this.end()
    }, order.timeout + GRACE)
    try {
      this.#child.stdin!.write(frameOf(order))
      return (await promise) as Outcome<T>
    } finally {
      clearTimeout(timer)
      this.#asked = undefined
    }
  }

  /** Resolves when it is gone. */
  async end(): Promise<void> {
    const gone = this.ended ? Promise.resolve() : new Promise(resolve => this.#child.once('close', resolve))
    this.#child.kill('SIGKILL')
    await gone
  }

  #settle(outcome: unknown): void {
    this.#asked?.resolve(outcome)
  }

  #end(error: Error): void {
    this.#ended = error
    this.#asked?.reject(error)
  }
}
