import { Worker } from 'node:worker_threads'
import type { Blocked, WatchdogData } from './blocked.ts'

/** How closely an event loop is watched, in milliseconds. */
export interface WatchdogOptions {
  /** A loop that stands still for so long is blocked. Default one second. */
  readonly limit?: number
  /** After so long the watching thread prints a line to standard error itself. Default five seconds. */
  readonly alarm?: number
}

/**
 * Watches the event loop of this thread from another one, and tells, once it moves again, what had blocked it. The code
 * that runs here is not touched: the cost is one timer.
 */
export class EventLoopWatchdog implements Disposable {
  readonly #beating: NodeJS.Timeout
  readonly #worker: Worker

  constructor(blocked: (blocked: Blocked) => void, { limit = 1_000, alarm = 5_000 }: WatchdogOptions = {}) {
    const beat = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    const interval = limit / 4
    const data: WatchdogData = { beat, interval, limit, alarm }
    this.#beating = setInterval(() => Atomics.add(beat, 0, 1), interval / 2).unref()
    this.#worker = new Worker(new URL('./watchdog-worker.ts', import.meta.url), { workerData: data, execArgv: [] })
    this.#worker.on('message', blocked)
    this.#worker.on('error', () => {})
    this.#worker.unref()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#beating)
    this.#worker.removeAllListeners('message')
    void this.#worker.terminate()
  }
}
