import { Worker } from 'node:worker_threads'

/** What a thread answers to each call: a result or an error. */
export type Answer<Result> =
  | { readonly id: number; readonly result: Result }
  | { readonly id: number; readonly error: { readonly message: string; readonly code: number } }

/** A call that a thread refused; `code` is SQLite's extended result code, 0 where it has none. */
export class ThreadError extends Error {
  override name = 'ThreadError'
  readonly code: number
  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }
}

/**
 * Calls that the thread has before it has answered the first. More would not make it faster, but their answers could
 * come together, and the event loop takes in all that have come before it does anything else.
 */
const UNDER_WAY = 2

/** A worker thread that answers calls, in their order. */
export class Thread<Call, Result> {
  readonly #worker: Worker
  readonly #open = new Map<number, PromiseWithResolvers<Result>>()
  readonly #waiting: { readonly id: number; readonly call: Call }[] = []
  #next = 1
  #underWay = 0
  #ended: Error | undefined

  /** `entry`: the module that {@link serve}s; `data`: its `workerData`. */
  constructor(entry: URL, data: unknown) {
    this.#worker = new Worker(entry, { workerData: data, execArgv: ['--disable-warning=ExperimentalWarning'] })
    this.#worker.on('message', (answer: Answer<Result>) => this.#take(answer))
    this.#worker.on('error', error => this.#end(error))
    this.#worker.on('exit', code => this.#end(new Error(`The database thread ended with code ${code}`)))
  }

  /** @throws {ThreadError} when it refuses */
  call(call: Call): Promise<Result> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended)
    const pending = Promise.withResolvers<Result>()
    const id = this.#next++
    this.#open.set(id, pending)
    this.#waiting.push({ id, call })
    this.#send()
    return pending.promise
  }

  /** Calls that are open are refused. */
  async close(): Promise<void> {
    this.#end(new Error('The database is closed'))
    await this.#worker.terminate()
  }

  #send(): void {
    while (this.#underWay < UNDER_WAY && this.#waiting.length > 0) {
      this.#underWay++
      this.#worker.postMessage(this.#waiting.shift())
    }
  }

  #take(answer: Answer<Result>): void {
    const pending = this.#open.get(answer.id)
    this.#open.delete(answer.id)
    this.#underWay--
    this.#send()
    if ('result' in answer) pending?.resolve(answer.result)
    else pending?.reject(new ThreadError(answer.error.message, answer.error.code))
  }

  #end(error: Error): void {
    this.#ended ??= error
    for (const pending of this.#open.values()) pending.reject(this.#ended)
    this.#open.clear()
  }
}
