import { GCProfiler } from 'node:v8'
import type { Clock, Timer } from '#core/component'

/** How often the profiler's record is read and thrown away, in milliseconds. */
const READ_EVERY = 10_000

/**
 * Bytes allocated on the heap of V8 since it was made: what was in use before each garbage collection less what the one
 * before had left. Watching costs some 0.1 ms of CPU a collection, so it is done at level `detailed` only.
 */
export class AllocatedBytes {
  #profiler: GCProfiler | undefined
  #total = 0
  /** In use after the last collection. */
  #left = process.memoryUsage().heapUsed
  readonly #clock: Clock
  #timer: Timer | undefined

  constructor(clock: Clock) {
    this.#clock = clock
    this.#watch()
  }

  /** Bytes so far; those since the last collection included. */
  read(): number {
    this.#collect()
    this.#watch()
    return this.#total + Math.max(0, process.memoryUsage().heapUsed - this.#left)
  }

  close(): void {
    this.#timer?.cancel()
    this.#profiler?.stop()
    this.#profiler = undefined
  }

  #watch(): void {
    this.#profiler = new GCProfiler()
    this.#profiler.start()
    this.#timer?.cancel()
    this.#timer = this.#clock.after(READ_EVERY, () => void this.read())
  }

  #collect(): void {
    const record = this.#profiler?.stop()
    this.#profiler = undefined
    for (const { beforeGC, afterGC } of record?.statistics ?? []) {
      this.#total += Math.max(0, beforeGC.heapStatistics.usedHeapSize - this.#left)
      this.#left = afterGC.heapStatistics.usedHeapSize
    }
  }
}
