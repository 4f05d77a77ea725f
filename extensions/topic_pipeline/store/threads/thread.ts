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
 * A worker thread that answers calls, in their order. One answer is taken in at each turn of the event loop, however many
 * have come, so that others get theirs.
 */
export class Thread<Call, Result> {
  readonly #worker: Worker
  readonly #open = new Map<number, PromiseWithResolvers<Result>>()
  readonly #answers: Answer<Result>[] = []
  #next = 1
  #ended: Error | undefined

  /** `entry`: the module that {@link serve}s; `data`: its `workerData`. */
  constructor(entry: URL, data: unknown) {
    this.#worker = new Worker(entry, { workerData: data, execArgv: ['--disable-warning=ExperimentalWarning'] })
    this.#worker.on('message', (answer: Answer<Result>) => this.#queue(answer))
    this.#worker.on('error', error => this.#end(error))
    this.#worker.on('exit', code => this.#end(new Error(`The database thread ended with code ${code}`)))
  }

  /** @throws {ThreadError} when it refuses */
  call(call: Call): Promise<Result> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended)
    const pending = Promise.withResolvers<Result>()
    const id = this.#next++
    this.#open.set(id, pending)
    this.#worker.postMessage({ id, call })
    return pending.promise
  }

  /** Calls that are open are refused. */
  async close(): Promise<void> {
    this.#end(new Error('The database is closed'))
    await this.#worker.terminate()
  }

  #queue(answer: Answer<Result>): void {
    this.#answers.push(answer)
    if (this.#answers.length === 1) setImmediate(() => this.#takeOne())
  }

  #takeOne(): void {
    const answer = this.#answers.shift()
    if (answer === undefined) return
    if (this.#answers.length > 0) setImmediate(() => this.#takeOne())
    this.#take(answer)
  }

  #take(answer: Answer<Result>): void {
    const pending = this.#open.get(answer.id)
    this.#open.delete(answer.id)
    if ('result' in answer) pending?.resolve(answer.result)
    else pending?.reject(new ThreadError(answer.error.message, answer.error.code))
  }

  #end(error: Error): void {
    this.#ended ??= error
    for (const pending of this.#open.values()) pending.reject(this.#ended)
    this.#open.clear()
  }
}
