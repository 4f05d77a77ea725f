import { Piscina } from 'piscina'
import type { Clock, Logger, Timer } from '#core/component'
import type { Payload } from '#core/data'
import type { Observation } from '../analysis/observation.ts'
import type { Part, Task, TaskResult, WorkerSettings } from '../analysis/task.ts'
import type { LearnedSignal } from '../analysis/walk.ts'
import { RingBuffer } from './ring-buffer.ts'

/** Milliseconds that payloads may wait for others, so that a task is worth its way to a thread and back. */
const LINGER = 100
/** Bytes from which a task goes at once, and payloads a task has at most. */
const TASK_BYTES = 512 * 1024
const TASK_PAYLOADS = 256
/** Milliseconds that shutting down waits for analyses under way. */
const GRACE = 2_000
/** Milliseconds between two times that workers are told to forget. */
const FORGET_INTERVAL = 10_000
/** Buffers above this size are not kept for the next task. */
const KEPT_BUFFER = 4 * 1024 * 1024

export const WORKER = new URL('../analysis/worker.ts', import.meta.url)

export interface AnalyzerOptions {
  readonly workers: number
  /** Payloads that may wait, and their bytes. */
  readonly ringSize: number
  readonly ringBytes: number
  readonly clock: Clock
  readonly logger: Logger
  /** The module that workers run; for tests of workers that misbehave. */
  readonly worker?: URL
}

/** Told what the analysis brings. */
export interface AnalyzerSink {
  /** Enters an observation; the next one comes when this has resolved. */
  observed(observation: Observation, seconds: number): Promise<void>
  /** Items that will not be analysed. */
  dropped(items: number): void
}

interface Waiting {
  readonly payload: Payload
  /** Monotonic milliseconds. */
  readonly since: number
}

/**
 * Learns beside the pipeline: payloads wait in a ring buffer, and threads look at copies of them, several at a time. A
 * full ring buffer takes nothing in, so what offers payloads never waits.
 *
 * The copy goes into a buffer that travels to the thread and back, so that hardly any fresh memory is needed: copying
 * into memory in use costs a fifth of copying into fresh one.
 */
export class Analyzer {
  readonly #options: AnalyzerOptions
  readonly #sink: AnalyzerSink
  readonly #ring: RingBuffer<Waiting>
  readonly #buffers: ArrayBuffer[] = []
  #pool: Piscina | undefined
  #settings: WorkerSettings | undefined
  #waitingBytes = 0
  #running = 0
  #timer: Timer | undefined
  #epoch = { asked: 0, told: 0, at: Number.NEGATIVE_INFINITY }
  #idle: PromiseWithResolvers<void> | undefined
  #closed = false

  constructor(options: AnalyzerOptions, sink: AnalyzerSink) {
    this.#options = options
    this.#sink = sink
    this.#ring = new RingBuffer(options.ringSize)
  }

  /** Payloads that wait. */
  get waiting(): number {
    return this.#ring.size
  }

  /** Tasks that threads work on. */
  get running(): number {
    return this.#running
  }

  /** Milliseconds that the oldest payload has waited; 0 when none waits. */
  get lag(): number {
    const { first } = this.#ring
    return first === undefined ? 0 : this.#options.clock.monotonic() - first.since
  }

  /** Begins to analyse. Payloads offered before have waited. */
  begin(settings: WorkerSettings): void {
    this.#settings = settings
    this.#closed = false
    this.#pump()
  }

  /** Takes a payload in to be analysed later; when there is no room it is counted as dropped. Never waits. */
  offer(payload: Payload): void {
    const since = this.#options.clock.monotonic()
    const fits = this.#waitingBytes + payload.bytes <= this.#options.ringBytes && !this.#closed
    if (!fits || !this.#ring.push({ payload, since })) {
      this.#sink.dropped(payload.items)
      return
    }
    this.#waitingBytes += payload.bytes
    if (this.#waitingBytes >= TASK_BYTES || this.#ring.size >= TASK_PAYLOADS) this.#pump()
    else this.#wait()
  }

  /** Workers shall forget what they have told, some time soon. */
  forget(epoch: number): void {
    this.#epoch.asked = epoch
  }

  /** Analyses what waits, as far as that is a matter of moments, and ends the threads. */
  async close(): Promise<void> {
    this.#timer?.cancel()
    this.#timer = undefined
    if (this.#settings !== undefined && this.#running + this.#ring.size > 0) {
      this.#idle = Promise.withResolvers()
      const patience = this.#options.clock.after(GRACE, this.#idle.resolve)
      this.#pump()
      await this.#idle.promise
      patience.cancel()
    }
    this.#closed = true
    while (this.#ring.size > 0) this.#sink.dropped(this.#ring.shift()!.payload.items)
    this.#waitingBytes = 0
    this.#settings = undefined
    const pool = this.#pool
    this.#pool = undefined
    await pool?.destroy()
  }

  #wait(): void {
    if (this.#settings === undefined) return
    this.#timer ??= this.#options.clock.after(LINGER, () => {
      this.#timer = undefined
      this.#pump()
    })
  }

  /** Gives idle threads something to do. */
  #pump(): void {
    if (this.#settings === undefined) return
    this.#pool ??= this.#open(this.#settings)
    while (this.#running < this.#options.workers && this.#ring.size > 0) void this.#run(this.#pool)
    if (this.#running + this.#ring.size === 0) this.#idle?.resolve()
  }

  #open(settings: WorkerSettings): Piscina {
    const { workers, worker = WORKER } = this.#options
    return new Piscina({
      filename: worker.href,
      name: 'analyze',
      minThreads: 0,
      maxThreads: workers,
      // A thread that ends takes along what it has told, and would tell it all again.
      idleTimeout: Number.POSITIVE_INFINITY,
      workerData: settings,
      atomics: 'disabled',
    })
  }

  async #run(pool: Piscina): Promise<void> {
    const { clock, logger } = this.#options
    const { task, items } = this.#nextTask()
    const begun = clock.monotonic()
    this.#running++
    try {
      const { observation, buffer } = (await pool.run(task, { transferList: [task.buffer] })) as TaskResult
      if (buffer.byteLength <= KEPT_BUFFER && this.#buffers.length < this.#options.workers) this.#buffers.push(buffer)
      await this.#sink.observed(observation, (clock.monotonic() - begun) / 1000)
    } catch (error) {
      this.#sink.dropped(items)
      if (this.#pool === pool) logger.error('Analysis failed, its payloads are not learned from', { error, items })
    } finally {
      this.#running--
    }
    if (this.#pool !== pool) return
    if (this.#idle !== undefined || this.#waitingBytes >= TASK_BYTES || this.#ring.size >= TASK_PAYLOADS) this.#pump()
    else if (this.#ring.size > 0) this.#wait()
  }

  /** Copies what waits longest into one buffer. */
  #nextTask(): { readonly task: Task; readonly items: number } {
    const taken: Payload[] = []
    let bytes = 0
    let items = 0
    do {
      const { payload } = this.#ring.shift()!
      taken.push(payload)
      bytes += payload.bytes
      items += payload.items
    } while (
      this.#ring.size > 0 &&
      taken.length < TASK_PAYLOADS &&
      bytes + this.#ring.first!.payload.bytes <= TASK_BYTES
    )
    this.#waitingBytes -= bytes
    const kept = this.#buffers.pop()
    const buffer = kept !== undefined && kept.byteLength >= bytes ? kept : new ArrayBuffer(Math.max(bytes, TASK_BYTES))
    const target = Buffer.from(buffer)
    const parts: Part[] = []
    let at = 0
    for (const payload of taken) {
      const start = at
      for (const { pieces } of payload.chunks) for (const piece of pieces) at += piece.copy(target, at)
      parts.push({ signal: payload.signal as LearnedSignal, start, end: at, items: payload.items })
    }
    return { task: { buffer, parts, epoch: this.#epochNow() }, items }
  }

  /** Forgetting costs a lot, so workers are told of it once in a while only. */
  #epochNow(): number {
    const now = this.#options.clock.monotonic()
    if (this.#epoch.asked !== this.#epoch.told && now - this.#epoch.at >= FORGET_INTERVAL) {
      this.#epoch.told = this.#epoch.asked
      this.#epoch.at = now
    }
    return this.#epoch.told
  }
}
